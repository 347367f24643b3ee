import { type CommitPhrase, cashier, dawn, gitea, jetstream, phrasesFrom } from './commit-phrase.ts';

export const ROMANCE: readonly CommitPhrase[] = [
  ...phrasesFrom('fr', cashier('fr'), [['pay', 'payer', 'Payer :amount']]),
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
      ['virement … effectuer', 'effectuer … virement'],
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
];
