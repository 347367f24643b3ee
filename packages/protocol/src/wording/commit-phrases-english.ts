import { type CommitPhrase, cashier, gitea, jetstream, phrasesFrom, spark } from './commit-phrase.ts';

export const ENGLISH: readonly CommitPhrase[] = [
  ...phrasesFrom('en', cashier('nl'), [
    ['pay', 'pay', 'Pay :amount'],
    ['confirm', 'confirm', 'Confirm Payment'],
  ]),
  ...phrasesFrom('en', jetstream('nl'), [
    [
      'delete',
      'delete',
      'Delete Account',
      [
        'permanently … delete',
        'erase',
        'wipe',
        'remove … account',
        'clear … history',
        'remove … forever',
        'remove … permanently',
        'permanently remove',
        'empty … trash',
        'move … trash',
        'send … trash',
        ...['it', 'this', 'all', 'selected', 'item', 'message', 'file', 'page', 'post'].map(
          (what) => `trash ${what}`,
        ),
        'empty … bin',
      ],
    ],
    [
      'cancel',
      'leave team',
      'Leave Team',
      ['group', 'organization', 'organisation', 'server', 'workspace', 'project', 'family'].map(
        (word) => `leave … ${word}`,
      ),
    ],
    [
      'grant',
      'add … member',
      'Add Team Member',
      [
        '^invite$',
        ...['member', 'members', 'people', 'user', 'users', 'friends', 'guests', 'collaborators'].map(
          (word) => `invite … ${word}`,
        ),
      ],
    ],
    // Not "I agree to the terms": ticking it commits nobody before the form is sent.
    [
      'sign',
      'accept … invitation',
      'Accept Invitation',
      [
        ...['offer', 'terms', 'quote', 'proposal', 'agreement', 'contract', 'request', 'bid', 'loan'].map(
          (word) => `accept … ${word}`,
        ),
        '^i agree$',
        '^i accept$',
        'agree and',
        'accept and',
      ],
    ],
  ]),
  ...phrasesFrom('en', spark('fi'), [
    ['subscribe', 'subscribe', 'Subscribe', ['unsubscribe', 'start … trial']],
    [
      'subscribe',
      'resume … subscription',
      'Resume Subscription',
      [
        'renew now',
        'upgrade now',
        'renew … subscription',
        'upgrade … subscription',
        'renew … membership',
        'upgrade … membership',
        'renew … plan',
        'upgrade … plan',
      ],
    ],
    [
      'cancel',
      'cancel … subscription',
      'Cancel Subscription',
      ['cancel … membership', 'cancel … plan', 'cancel … order', 'cancel … appointment'],
    ],
  ]),
  ...phrasesFrom('en', 'https://cn.wordpress.org/plugins/change-texts-for-woocommerce/', [
    ['order', 'buy', 'Buy Now'],
    [
      'order',
      'place … order',
      'Place Order',
      [
        'order now',
        '^order$',
        'complete … order',
        'finalize … order',
        'finalise … order',
        'purchase',
        'place … bid',
        'bid now',
        '^bid$',
        'bid #',
        'place … bet',
      ],
    ],
    ['confirm', 'checkout', 'Proceed to Checkout', ['check out']],
  ]),
  ...phrasesFrom('en', 'https://portal.thirdweb.com/react/react.usemakebid', [
    ['order', 'make … bid', 'Make Bid', ['increase … bid', 'raise … bid', 'make … offer']],
  ]),
  ...phrasesFrom(
    'en',
    'https://library.ukg.com/prebuilt/newgen/Recruiting/Content/RECApplyToOpportunities-c_x107146.html',
    [['send', 'apply now', 'Apply Now']],
  ),
  ...phrasesFrom('en', 'https://gist.github.com/PrafullaKumarSahu/2496b2e5b57f99a22b06', [
    [
      'pay',
      'make … payment',
      'Make Payment',
      ['complete … payment', 'submit … payment', 'authorise … payment'],
    ],
  ]),
  ...phrasesFrom(
    'en',
    'https://www.auswidebank.com.au/help/faqs/internet-and-mobile-banking/how-do-i-make-a-transfer/',
    [
      [
        'transfer',
        'transfer',
        'Transfer Money',
        ['withdraw', 'donate', 'wire … money', 'wire … funds', 'wire #', '^wire$'],
      ],
      [
        'send',
        'send',
        'Send',
        [
          'email … everyone',
          'message … everyone',
          'notify … everyone',
          '^broadcast$',
          'broadcast now',
          'broadcast … message',
        ],
      ],
      ['confirm', 'submit', 'Submit'],
    ],
  ),
  ...phrasesFrom(
    'en',
    'https://app.unpkg.com/@wordpress/editor@10.0.0/files/src/components/post-publish-button/label.js',
    [
      [
        'publish',
        'publish',
        'Publish',
        ['go live', 'share now', 'share publicly', 'share … everyone', 'make … public'],
      ],
    ],
  ),
  ...phrasesFrom('en', 'https://core.trac.wordpress.org/raw-attachment/ticket/15015/15015.3.diff', [
    [
      'publish',
      'post … comment',
      'Post Comment',
      [
        '^post$',
        'post now',
        'post it',
        'post to',
        'schedule … post',
        'schedule … tweet',
        ...[
          'reply',
          'message',
          'review',
          'update',
          'answer',
          'question',
          'ad',
          'job',
          'listing',
          'tweet',
        ].map((word) => `post … ${word}`),
        '^tweet$',
      ],
    ],
  ]),
  ...phrasesFrom('en', 'https://github.com/openstreetmap/openstreetmap-website/pull/1880.diff', [
    [
      'grant',
      'grant',
      'Grant Access',
      ['authorize', 'authorise', 'allow … access', 'give … access', 'approve'],
    ],
  ]),
  ...phrasesFrom(
    'en',
    'https://docshield.tungstenautomation.com/SD/en_US/3.3.1-a492webtr2/help/Standard/SD_standard_help/c_signdocuments.html',
    [
      [
        'sign',
        'sign documents',
        'Sign documents',
        [
          ...['document', 'contract', 'agreement', 'the', 'and', 'now', 'here', 'this', 'it'].map(
            (word) => `sign ${word}`,
          ),
          'e sign',
          'countersign',
          'file … return',
          'esign',
        ],
      ],
    ],
  ),
  ...phrasesFrom('en', 'https://centilio.com/sign/guide/user-guide/article-ug-6', [
    ['sign', 'click to sign', 'Click to Sign'],
    ['sign', 'proceed to sign', 'Proceed to Sign'],
  ]),
  ...phrasesFrom(
    'en',
    'https://www.framework360.com/documentation/plugin-bookingengine-completare-il-pagamento-per-finalizzare-la-prenotazione-se-richiesto-dal-modulo',
    [
      [
        'book',
        '^book$',
        'Book',
        [
          'book now',
          'book it',
          'book this',
          ...[
            'appointment',
            'room',
            'table',
            'flight',
            'ticket',
            'tickets',
            'hotel',
            'stay',
            'seat',
            'trip',
            'tour',
            'ride',
            'slot',
          ].map((word) => `book … ${word}`),
          '^reserve$',
          'reserve now',
          ...['room', 'table', 'seat', 'seats', 'spot'].map((word) => `reserve … ${word}`),
        ],
      ],
      [
        'book',
        'complete … booking',
        'Complete your booking',
        ['complete … reservation', 'complete … purchase', 'rent now'],
      ],
    ],
  ),
  ...phrasesFrom('en', 'https://academy.wink.travel/booking-engine/confirmation', [
    ['cancel', 'cancel … booking', 'Cancel the booking', ['cancel … reservation', 'cancel … flight']],
  ]),
  ...phrasesFrom(
    'en',
    'https://donorbox.freshdesk.com/support/solutions/articles/14000081756-how-to-close-a-donor-account',
    [['cancel', 'close … account', 'Close account', ['cancel … account']]],
  ),
  ...phrasesFrom('en', 'https://www.nextlove.com/en_US/help-center/question/12', [
    ['cancel', 'deactivate', 'Deactivate Profile'],
  ]),
  ...phrasesFrom('en', gitea('en-US'), [
    [
      'transfer',
      'transfer ownership',
      'Transfer Ownership',
      ['make … owner', 'make … admin', 'make … administrator'],
    ],
  ]),
  ...phrasesFrom(
    'en',
    'https://learn.microsoft.com/en-us/volume-licensing-central/usermanagement/edit-or-revoke-access',
    [['cancel', 'revoke', 'Yes, Revoke']],
  ),
  ...phrasesFrom('en', 'https://help.github.com/articles/about-pull-request-merges/', [
    [
      'publish',
      'merge pull request',
      'Merge pull request',
      ['merge … request', '^merge$', 'merge to', 'merge into', 'force push'],
    ],
    ['publish', 'squash and merge', 'Squash and merge'],
    ['publish', 'rebase and merge', 'Rebase and merge'],
  ]),
  ...phrasesFrom(
    'en',
    'https://docs.cloud.google.com/looker/docs/reference/looker-api/latest/methods/Project/deploy_to_production',
    [['publish', 'deploy to', 'Deploy To Production', ['^deploy$', 'deploy now', 'deploy … production']]],
  ),
  ...phrasesFrom('en', 'https://canonical.com/multipass/docs/purge-command', [
    ['delete', 'purge', 'Purge all deleted instances permanently', ['destroy']],
  ]),
  ...phrasesFrom(
    'en',
    'https://docs.oracle.com/cd/F90410_01/3.0-latest/ceapi/op-20160918-instances-instance_id-delete.html',
    [['delete', 'terminate', 'Terminate an Instance']],
  ),
  ...phrasesFrom('en', 'https://github.com/TigerTag-Project/TigerSpool-RFID/releases/tag/v1.33.0', [
    ['delete', 'factory reset', 'Factory reset', ['reset … factory', 'restore … factory']],
  ]),
  ...phrasesFrom('en', 'https://www.intricatedevo.com/sql/drop-db', [
    [
      'delete',
      'drop … database',
      'DROP DATABASE',
      [
        '^drop$',
        ...['table', 'tables', 'schema', 'column', 'collection', 'index'].map((word) => `drop … ${word}`),
        'truncate … table',
      ],
    ],
  ]),
  ...phrasesFrom('en', 'https://www.paylax.com/en/faq/escrow/release-escrow', [
    [
      'transfer',
      'release … money',
      'Release money',
      ['funds', 'payment', 'escrow', 'milestone'].map((word) => `release … ${word}`),
    ],
  ]),
  ...phrasesFrom(
    'en',
    'https://help.getheaps.com/hc/en-us/articles/6217067480340-How-do-I-withdraw-cash-from-Heaps',
    [
      ['transfer', 'sell now', 'Sell now'],
      ['transfer', '^sell$', 'Sell', ['sell #', 'sell all']],
      [
        'transfer',
        'cash out',
        'Cash out now',
        ['^refund$', 'refund #', 'issue … refund', 'refund … order', 'refund … payment'],
      ],
    ],
  ),
  ...phrasesFrom('en', 'https://docs.fatzebra.com/docs/charge-a-customers-credit-card', [
    [
      'pay',
      'charge … card',
      'Charge Card',
      [
        'charge … customer',
        'charge me',
        'charge my',
        'charge #',
        'charge now',
        'card is charged',
        'card will be charged',
        'debit my',
        'debit … account',
        'issue … invoice',
        'disburse',
        '^remit$',
        'remit … payment',
        'settle up',
        'settle … balance',
        'settle … debt',
        '^repay$',
        'repay now',
        'repay … loan',
        'refund … customer',
      ],
    ],
  ]),
  ...phrasesFrom('en', 'https://help.globaltradingnetwork.com/helpguides/trading-app-web-en/Requests.html', [
    [
      'transfer',
      '^deposit$',
      'Deposit',
      [
        'deposit now',
        'deposit #',
        'deposit … funds',
        'deposit … money',
        'deposit … cash',
        'move … money',
        'move … funds',
      ],
    ],
  ]),
  ...phrasesFrom('en', 'https://docs.xspswap.finance/v3/v3-dex/swap', [
    [
      'transfer',
      'confirm swap',
      'Confirm Swap',
      [
        'swap now',
        'swap … tokens',
        '^stake$',
        'stake now',
        'stake #',
        '^unstake$',
        'liquidate',
        'execute … order',
        'execute … trade',
        'execute … swap',
        'execute … transaction',
      ],
    ],
  ]),
  ...phrasesFrom('en', 'https://support.ballotboxonline.com/397455-What-is-the-voter-experience-like', [
    ['send', 'cast … ballot', 'Cast Ballot', ['cast … vote', 'submit … ballot', 'submit … vote']],
  ]),
  ...phrasesFrom('en', 'https://github.com/microsoft/vscode/pull/32459/files', [
    ['delete', 'discard … changes', 'Discard All Changes', ['^overwrite$', 'overwrite … file']],
  ]),
  ...phrasesFrom('en', 'https://help.skool.com/article/142-how-to-ban-a-member', [
    [
      'cancel',
      '^ban$',
      'BAN',
      [
        ...['user', 'member', 'account'].map((word) => `ban … ${word}`),
        ...['member', 'collaborator', 'admin'].map((word) => `remove … ${word}`),
        ...['employee', 'worker'].map((word) => `fire … ${word}`),
      ],
    ],
  ]),
  ...phrasesFrom('en', 'https://gitlab.com/groups/gitlab-org/-/epics/9484', [
    [
      'cancel',
      'disable 2fa',
      'Disable 2FA',
      [
        'disable … two factor',
        'disable … mfa',
        'disable … two step',
        'turn off … two factor',
        'turn off … 2fa',
      ],
    ],
  ]),
  ...phrasesFrom('en', 'https://support.block.aero/docs/rotate-api-key', [
    [
      'cancel',
      'rotate … key',
      'Rotate API Key',
      [
        'rotate … keys',
        'rotate … secret',
        'rotate … token',
        'regenerate … key',
        'regenerate … keys',
        'regenerate … secret',
        'regenerate … token',
        'export … private key',
      ],
    ],
  ]),
  ...phrasesFrom('en', 'https://atlas-stationers.reamaze.io/kb/reward-program', [
    [
      'order',
      '^redeem$',
      'Redeem',
      [
        'redeem now',
        ...['points', 'reward', 'rewards', 'gift card', 'voucher'].map((word) => `redeem … ${word}`),
        '^pre order$',
        '^preorder$',
        'pre order now',
        'preorder now',
        'reorder now',
        '^reorder$',
      ],
    ],
  ]),
];
