import {
  blesta,
  bookcars,
  type CommitPhrase,
  cake,
  cashier,
  dawn,
  decap,
  docuseal,
  gitea,
  hotel,
  jetstream,
  phrasesFrom,
  renewed,
} from './commit-phrase.ts';

export const ROMANCE: readonly CommitPhrase[] = [
  ...phrasesFrom('fr', cashier('fr'), [
    ['pay', 'payer', 'Payer :amount', ['^régler$', 'régler #', 'régler … facture', 'régler … commande']],
  ]),
  ...phrasesFrom('fr', dawn('fr'), [
    ['confirm', 'procéder au paiement', 'Procéder au paiement'],
    ['send', 'envoyer', 'Envoyer', ['^postuler$']],
    [
      'delete',
      'supprimer',
      'Supprimer',
      ['purger', 'vider … corbeille', 'effacer … données', 'réinitialisation … usine', 'paramètres … usine'],
    ],
    ['confirm', 'confirmer', 'Confirmer le mot de passe', ['valider … commande', 'valider … paiement']],
  ]),
  ...phrasesFrom('fr', gitea('fr-FR'), [
    [
      'transfer',
      'changer de propriétaire',
      'Changer de propriétaire',
      [
        'virement … effectuer',
        'effectuer … virement',
        'faire … virement',
        'valider … virement',
        'nouveau virement',
        '^virement$',
        '^virer$',
        'virer #',
      ],
    ],
    [
      'transfer',
      'effectuer … transfert',
      'Effectuer le transfert',
      ['^vendre$', 'vendre maintenant', 'vendre #', 'libérer … fonds', 'débloquer … fonds', 'rembourser'],
    ],
  ]),
  ...phrasesFrom('fr', 'https://secure.boxingcanada.org/fr/base-de-connaissances/withdrawing-funds', [
    ['transfer', 'retirer … fonds', 'Retirer des fonds', ['retirer … argent']],
  ]),
  ...phrasesFrom('fr', jetstream('fr'), [
    [
      'cancel',
      'quitter … équipe',
      "Quitter l'équipe",
      ['résilier', 'révoquer', 'quitter … groupe', 'quitter … organisation'],
    ],
  ]),
  ...phrasesFrom(
    'es',
    'https://docs.oracle.com/es-ww/iaas/Content/Identity/applications/remove-users-custom-applications.htm',
    [
      [
        'cancel',
        'revocar',
        'Revocar usuario',
        ['abandonar … equipo', 'abandonar … grupo', 'salir … grupo', 'darse de baja'],
      ],
    ],
  ),
  ...phrasesFrom('pt', jetstream('pt'), [
    ['cancel', 'sair … equipa', 'Sair da Equipa', ['sair … equipe', 'sair … grupo', 'revogar']],
  ]),
  ...phrasesFrom('it', jetstream('it'), [
    ['cancel', 'abbandona … team', 'Abbandona Team', ['abbandona … gruppo', 'revoca']],
  ]),
  ...phrasesFrom('es', cashier('es'), [
    ['pay', 'pague', 'Pague :amount'],
    ['confirm', 'confirmar', 'Confirmar pago'],
  ]),
  ...phrasesFrom('es', dawn('es'), [
    ['pay', 'pagar', 'Pagar pedido'],
    ['send', 'enviar', 'Enviar'],
    [
      'delete',
      'eliminar',
      'Eliminar',
      ['purgar', 'vaciar … papelera', 'restablecer … fábrica', 'restaurar … fábrica', 'borrar'],
    ],
    [
      'order',
      'finalizar … compras',
      'finalizar tus compras',
      ['comprar', 'realizar … pedido', 'finalizar … compra', 'pujar'],
    ],
  ]),
  ...phrasesFrom('pt', dawn('pt-BR'), [
    ['order', 'finalizar … compra', 'Finalizar a compra', ['finalizar … pedido', 'fazer … pedido']],
    ['send', 'enviar', 'Enviar'],
    ['delete', 'excluir', 'Excluir', ['restaurar … fábrica', 'esvaziar … lixeira', 'apagar']],
  ]),
  ...phrasesFrom('pt', cashier('pt'), [['confirm', 'confirmar … pagamento', 'Confirmar O Pagamento']]),
  ...phrasesFrom('it', cashier('it'), [
    ['pay', 'paga', 'Paga :amount'],
    ['confirm', 'conferma', 'Conferma Pagamento'],
  ]),
  ...phrasesFrom('it', dawn('it'), [
    ['send', 'invia', 'Invia'],
    ['delete', 'elimina', 'Elimina', ['impostazioni di fabbrica', 'dati di fabbrica', 'svuota … cestino']],
    ['confirm', 'check out', 'Check-out'],
    ['subscribe', 'iscriviti', 'Iscriviti', ['^abbonati$', 'abbonati … ora']],
  ]),
  ...phrasesFrom('ro', cashier('ro'), [
    ['pay', 'plăti', 'Plăti :amount', ['plătește']],
    ['confirm', 'confirmă', 'Confirmă Plata'],
    ['confirm', 'confirmați', 'Confirmați plata'],
  ]),
  ...phrasesFrom('ro', dawn('ro-RO'), [
    ['order', 'finalizați … comanda', 'Finalizați comanda', ['finalizează … comanda', 'cumpără']],
    ['send', 'trimiteți', 'Trimiteți'],
    ['send', 'trimite', 'Trimite pe (opțional)'],
    ['delete', 'ștergeți', 'Ștergeți', ['șterge', 'setările din fabrică']],
  ]),
  ...phrasesFrom('fr', blesta('fr_fr'), [
    ['order', 'commander', 'Commander', ['acheter', 'passer … commande', 'enchérir']],
  ]),
  ...phrasesFrom('fr', decap('fr'), [
    ['publish', 'publier', 'Publier', ['rendre … public', 'rendre … publique', '^fusionner$', '^déployer$']],
  ]),
  ...phrasesFrom('fr', bookcars(), [['book', 'réserver', 'Réserver']]),
  ...phrasesFrom('fr', docuseal(), [
    ['sign', 'signer', 'Signer maintenant', ['accepter … invitation', 'accepter … offre']],
  ]),
  ...phrasesFrom(
    'fr',
    'https://github.com/TryGhost/Ghost/blob/0bf113d7e13f452dd20d2f82d93ab404657e950c/ghost/i18n/locales/fr/signup-form.json',
    [['subscribe', 's abonner', "S'abonner"]],
  ),
  ...phrasesFrom('es', decap('es'), [
    [
      'publish',
      'publicar',
      'Publicar',
      ['hacer … público', 'hacer … pública', '^fusionar$', 'desplegar ahora'],
    ],
  ]),
  ...phrasesFrom(
    'es',
    'https://github.com/RoboSats/robosats/blob/013ca083c4ef0cefbf44fce68cfc23c737f84ae0/frontend/static/locales/es.json',
    [
      [
        'transfer',
        '^vender$',
        'Vender',
        [
          'vender ahora',
          'vender #',
          'retirar … fondos',
          'retirar … dinero',
          'liberar … fondos',
          'liberar … pago',
          'reembolsar',
          'transferir',
        ],
      ],
    ],
  ),
  ...phrasesFrom('es', bookcars(), [['book', 'reservar', 'Reservar']]),
  ...phrasesFrom('es', docuseal(), [
    ['sign', 'firmar', 'Firmar ahora', ['aceptar … invitación', 'aceptar … oferta']],
  ]),
  ...phrasesFrom('pt', decap('pt'), [
    ['publish', 'publicar', 'Publicar', ['tornar … público', 'tornar … pública']],
  ]),
  ...phrasesFrom('pt', docuseal(), [
    ['sign', 'assinar', 'Assinar agora', ['aceitar … convite', 'aceitar … oferta']],
  ]),
  ...phrasesFrom('it', decap('it'), [
    ['publish', 'pubblica', 'Pubblica', ['rendi … pubblico', 'rendi … pubblica']],
  ]),
  ...phrasesFrom('it', blesta('it_it'), [
    ['order', 'ordina ora', 'Ordina ora', ['ordina e paga', 'acquista', 'compra', 'completa … ordine']],
  ]),
  ...phrasesFrom('it', docuseal(), [
    ['sign', 'firma', 'Firma ora', ['accetta … invito', 'accetta … offerta']],
  ]),
  ...phrasesFrom(
    'pt',
    'https://github.com/Renewed-Scripts/Renewed-Banking/blob/47ff11498d844a629304368009d13f8b713f7adf/locales/pt.json',
    [
      [
        'transfer',
        'transferir',
        'Transferir',
        ['vender agora', '^sacar$', 'sacar agora', 'liberar … pagamento'],
      ],
    ],
  ),
  ...phrasesFrom(
    'es',
    'https://github.com/TryGhost/Ghost/blob/0fee4bad51ae018bf2f97354de04be7da34bf5cf/ghost/i18n/locales/es/signup-form.json',
    [['subscribe', 'suscribirme', 'Suscribirme', ['suscribirse']]],
  ),
  ...phrasesFrom('it', cake('it'), [
    [
      'transfer',
      '^vendere$',
      'Vendere',
      ['^vendi$', 'vendi ora', 'preleva', 'rimborsa', 'trasferisci', 'sblocca … fondi'],
    ],
  ]),
  ...phrasesFrom('it', hotel('it'), [['book', 'prenota', 'Prenota Ora']]),
  ...phrasesFrom('ro', decap('ro'), [['publish', '^publicare$', 'Publicare', ['publică']]]),
  ...phrasesFrom('ro', hotel('ro'), [['book', 'rezervă', 'Rezervă Acum']]),
  ...phrasesFrom('ro', jetstream('ro'), [
    ['cancel', 'părăsește … echipa', 'Părăsește Echipa', ['revocă', 'părăsește … grupul']],
  ]),
  ...phrasesFrom('ro', renewed('ro', '60011fb6f14c72f687e408767039c2ddc68595b3'), [
    ['transfer', '^transferă$', 'Transferă', ['^vinde$', 'retrage … fonduri']],
  ]),
];
