import {
  blesta,
  type CommitPhrase,
  cake,
  cashier,
  dawn,
  decap,
  docuseal,
  doorkeeper,
  gitea,
  glamour,
  jetstream,
  metamask,
  phrasesFrom,
  pyro,
  robosats,
  spark,
  tobook,
} from './commit-phrase.ts';

export const GERMANIC: readonly CommitPhrase[] = [
  ...phrasesFrom('de', 'https://www.gesetze-im-internet.de/bgb/__312j.html', [
    [
      'order',
      'zahlungspflichtig*',
      'zahlungspflichtig bestellen',
      [
        'bestellen',
        'bestellung … aufgeben',
        'bestellung … abschließen',
        'bestellung … abschicken',
        'gebot abgeben',
        'jetzt bieten',
      ],
    ],
  ]),
  ...phrasesFrom('de', 'https://www.gesetze-im-internet.de/bgb/__312k.html', [
    [
      'cancel',
      'kündigen',
      'jetzt kündigen',
      [
        'stornieren',
        '^widerrufen$',
        'zugriff … widerrufen',
        'zugriff … entziehen',
        'token … widerrufen',
        'vertrag … widerrufen',
        'vertrag beenden',
      ],
    ],
  ]),
  ...phrasesFrom('de', 'https://pastebin.com/index/u64bL0id', [['order', 'kaufen', 'Kaufen']]),
  ...phrasesFrom('de', cashier('de'), [
    ['pay', 'bezahlen', ':amount Bezahlen', ['jetzt zahlen', '^zahlen$']],
    ['confirm', 'bestätigen', 'Bestätigen Sie die Zahlung'],
  ]),
  ...phrasesFrom('de', dawn('de'), [
    ['send', 'senden', 'Senden', ['absenden', 'abschicken', 'versenden', 'jetzt bewerben']],
    [
      'delete',
      'löschen',
      'Löschen',
      ['papierkorb leeren', 'endgültig entfernen', 'tabelle leeren', 'konto auflösen', 'vertrag auflösen'],
    ],
    ['confirm', 'auschecken', 'Auschecken', ['zur kasse']],
  ]),
  ...phrasesFrom('de', jetstream('de'), [
    [
      'sign',
      'einladung annehmen',
      'Einladung annehmen',
      ['unterschreiben', 'unterzeichnen', 'angebot annehmen', '^ich akzeptiere$', '^ich stimme zu$'],
    ],
    [
      'grant',
      'teammitglied hinzufügen',
      'Teammitglied hinzufügen',
      ['zugriff erlauben', 'zugriff gewähren', '^einladen$'],
    ],
    [
      'cancel',
      'team verlassen',
      'Team verlassen',
      ['gruppe verlassen', 'organisation verlassen', 'projekt verlassen', 'server verlassen'],
    ],
  ]),
  ...phrasesFrom('de', gitea('de-DE'), [
    [
      'transfer',
      'besitz übertragen',
      'Besitz übertragen',
      [
        'überweisen',
        'spenden',
        'eigentum übertragen',
        '^verkaufen$',
        'jetzt verkaufen',
        'verkaufen #',
        '^auszahlen$',
        'jetzt auszahlen',
        'guthaben … auszahlen',
        'geld abheben',
        'geld freigeben',
        'zahlung freigeben',
        'betrag freigeben',
        '^erstatten$',
        'zahlung erstatten',
      ],
    ],
  ]),
  ...phrasesFrom('de', 'https://handyhilfe.dl5sel.de/auf-werkseinstellungen-zuruecksetzen/', [
    [
      'delete',
      'auf werkseinstellungen',
      'Auf Werkseinstellungen zurücksetzen',
      ['werkseinstellungen … wiederherstellen'],
    ],
  ]),
  ...phrasesFrom('de', spark('de'), [
    [
      'subscribe',
      'abonnement fortsetzen',
      'Abonnement fortsetzen',
      ['abonnieren', 'abonnement … verlängern'],
    ],
  ]),
  ...phrasesFrom('nl', cashier('nl'), [
    ['pay', 'betaal', 'Betaal :amount', ['betalen']],
    ['confirm', 'bevestigen', 'Betaling Bevestigen', ['bevestig']],
  ]),
  ...phrasesFrom('nl', dawn('nl'), [
    ['confirm', 'afrekenen', 'Afrekenen'],
    ['send', 'sturen', 'Sturen'],
    ['send', 'verzenden', 'Verzenden', ['versturen', 'nu solliciteren']],
    ['delete', 'verwijderen', 'Verwijderen', ['verwijder']],
    ['publish', 'plaats … reactie', 'Plaats een reactie', ['publiceren', 'openbaar maken']],
    ['subscribe', 'abonneren', 'Abonneren'],
  ]),
  ...phrasesFrom('sv', cashier('sv'), [
    ['pay', 'betala', 'Betala :amount'],
    ['confirm', 'bekräfta', 'Bekräfta Betalning'],
  ]),
  ...phrasesFrom('sv', dawn('sv'), [
    ['confirm', 'gå till kassan', 'Gå till kassan'],
    ['send', 'skicka', 'Skicka'],
    ['delete', 'radera', 'Radera', ['fabriksåterställ*']],
  ]),
  ...phrasesFrom('da', cashier('da'), [
    ['pay', 'betal', 'Betal :amount'],
    ['confirm', 'bekræft', 'Bekræft Betaling'],
  ]),
  ...phrasesFrom('da', dawn('da'), [
    ['confirm', 'gå til betaling', 'Gå til betaling'],
    ['send', 'indsend', 'Indsend'],
    ['delete', 'slet', 'Slet', ['fabriksindstillinger']],
  ]),
  ...phrasesFrom('no', cashier('nb'), [['confirm', 'bekreft', 'Bekreft betaling']]),
  ...phrasesFrom('no', dawn('nb'), [
    ['send', 'send inn', 'Send inn'],
    ['delete', 'slett', 'Slett', ['fabrikkinnstillinger']],
  ]),
  ...phrasesFrom('fi', cashier('fi'), [
    ['pay', 'maksa', 'Maksa :amount'],
    ['confirm', 'vahvista', 'Vahvista Maksu'],
  ]),
  ...phrasesFrom('fi', spark('fi'), [
    ['subscribe', '^tilaa$', 'Tilaa'],
    ['cancel', 'peruuta tilaus', 'Peruuta Tilaus', ['peruuta käyttöoikeus', 'poistu ryhmästä']],
  ]),
  ...phrasesFrom('fi', dawn('fi'), [
    ['send', 'lähetä', 'Lähetä'],
    ['delete', 'poista', 'Poista', ['tehdasasetukset', 'tehdasasetuksiin']],
  ]),
  ...phrasesFrom('nl', jetstream('nl'), [
    ['delete', 'account verwijderen', 'Account Verwijderen', ['fabrieksinstellingen', 'prullenbak legen']],
    [
      'cancel',
      'team verlaten',
      'Team Verlaten',
      ['groep verlaten', 'organisatie verlaten', 'toegang intrekken'],
    ],
  ]),
  ...phrasesFrom('de', decap('de'), [
    [
      'publish',
      'veröffentlichen',
      'Veröffentlichen',
      [
        'öffentlich machen',
        '^mergen$',
        'pull request … zusammenführen',
        '^deployen$',
        '^bereitstellen$',
        'jetzt bereitstellen',
      ],
    ],
  ]),
  ...phrasesFrom('de', 'https://hotelbooking.de/?p=6936', [
    ['book', 'jetzt buchen', 'Jetzt buchen', ['^buchen$', 'reservieren']],
  ]),
  ...phrasesFrom(
    'nl',
    'https://github.com/snipcart/snipcart-l10n/blob/0d126362dd348ba1086127ed1481ade1fb06a0ee/locales/nl.json',
    [
      [
        'order',
        'bestelling plaatsen',
        'Bestelling plaatsen',
        ['nu bestellen', 'nu kopen', '^kopen$', 'bod plaatsen'],
      ],
    ],
  ),
  ...phrasesFrom('nl', docuseal(), [
    [
      'sign',
      'ondertekenen',
      'Nu ondertekenen',
      ['uitnodiging accepteren', 'aanbod accepteren', '^ik ga akkoord$'],
    ],
  ]),
  ...phrasesFrom('sv', blesta('sv_se'), [['order', 'beställ nu', 'Beställ nu', ['köp', 'slutför köp*']]]),
  ...phrasesFrom('sv', decap('sv'), [['publish', 'publicera', 'Publicera', ['gör offentlig']]]),
  ...phrasesFrom('sv', tobook('sv'), [['book', 'boka', 'Boka']]),
  ...phrasesFrom('sv', doorkeeper('sv'), [['cancel', 'återkalla', 'Återkalla', ['lämna gruppen']]]),
  ...phrasesFrom('da', blesta('da_dk'), [['order', 'bestil nu', 'Bestil nu', ['køb', 'afgiv … ordre']]]),
  ...phrasesFrom('no', decap('nb_no'), [['publish', 'publiser', 'Publiser nå', ['gjør offentlig']]]),
  ...phrasesFrom('fi', blesta('fi_fi'), [['order', 'tilaa nyt', 'Tilaa nyt', ['osta']]]),
  ...phrasesFrom('fi', tobook('fi'), [['book', 'varaa', 'Varaa']]),
  ...phrasesFrom('nl', glamour('nl', '0071e7087eea967485b320e1d9f143a762bc528a'), [
    ['book', 'nu boeken', 'Nu boeken'],
  ]),
  ...phrasesFrom('nl', cake('nl'), [
    [
      'transfer',
      '^verkopen$',
      'Verkopen',
      ['overmaken', 'eigendom overdragen', 'nu verkopen', 'geld opnemen', 'terugbetalen'],
    ],
  ]),
  ...phrasesFrom('sv', metamask('sv', '00341cd3b32532e502a0086279d9c458465f74a0'), [
    ['sign', 'signera', 'Signera'],
  ]),
  ...phrasesFrom('sv', robosats('sv'), [['transfer', '^sälja$', 'Sälja', ['^sälj$', 'ta ut pengar']]]),
  ...phrasesFrom('da', decap('da'), [['publish', 'publicer', 'Publicer', ['offentliggør', 'gør offentlig']]]),
  ...phrasesFrom('da', glamour('da'), [['book', 'book nu', 'Book nu', ['bestil tid']]]),
  ...phrasesFrom('da', doorkeeper('da'), [['cancel', '^ophæv$', 'Ophæv', ['tilbagekald', 'forlad gruppe*']]]),
  ...phrasesFrom('da', metamask('da', '0017295c4579131fe122be7c00ac34877f9c88e6'), [
    ['transfer', '^overfør$', 'Overfør', ['^sælg$']],
  ]),
  ...phrasesFrom(
    'no',
    'https://github.com/MissLJX/geeko_resp/blob/06495b8e0da133a49e663e8578f58ee2069303c9/shoppingcart/src/i18n/nb.js',
    [['order', 'legg inn bestilling', 'Legg inn bestilling', ['kjøp', 'bestill nå']]],
  ),
  ...phrasesFrom('no', jetstream('nb'), [
    ['cancel', 'forlat team', 'Forlat Team', ['tilbakekall', 'forlat gruppe*']],
  ]),
  ...phrasesFrom('no', doorkeeper('no'), [['cancel', '^opphev$', 'Opphev']]),
  ...phrasesFrom('no', metamask('no', '0017295c4579131fe122be7c00ac34877f9c88e6'), [
    ['transfer', '^overfør$', 'Overfør', ['^selg$']],
  ]),
  ...phrasesFrom('fi', pyro('finnish', '06bcabf9cc96b46ae76de38a87a10372acc1cd83'), [
    ['publish', 'julkaise', 'Julkaise', ['julkista']],
  ]),
  ...phrasesFrom('fi', metamask('fi', '00341cd3b32532e502a0086279d9c458465f74a0'), [
    ['sign', 'allekirjoita', 'Allekirjoita'],
    ['transfer', '^siirrä$', 'Siirrä', ['^myy$', 'nosta rahaa']],
  ]),
];
