import type { WebhooksTexts } from '../en/webhooks.ts'

export const webhooks: WebhooksTexts = {
  heading: 'Webhooks',
  lead: 'Les programmes sont prévenus par des webhooks\u00a0: chaque notification est envoyée en JSON signé aux adresses ci-dessous.',
  none: { heading: 'Aucun webhook', lead: 'Ajoutez l’adresse d’un programme à prévenir.' },
  unavailable: 'Ce service n’envoie pas de notifications à des webhooks.',
  corrupted:
    'Certains webhooks ne peuvent pas être affichés, car leurs données sont endommagées. Demandez à l’administrateur de ce service.',
  active: 'Actif',
  failing: 'En échec',
  disabled: 'Désactivé',
  createdAt: 'Ajouté le {time}',
  failingSince: 'en échec depuis le {time}',
  disabledAt: 'désactivé le {time}',
  reasons: {
    gone: 'Le destinataire a répondu que cette adresse n’est plus utilisée (410).',
    failing: 'Rien n’a pu être remis pendant trois jours.',
  },
  enableAgain: 'Un test remis avec succès le réactive.',
  test: 'Envoyer un test',
  testFailed: 'Le test pour {address} n’a pas été remis\u00a0: {reason}.',
  delete: 'Supprimer le webhook',
  deleteHeading: 'Supprimer ce webhook\u00a0?',
  deleteLead:
    'Plus rien ne sera envoyé à cette adresse, pas même les notifications en attente. Cette action est irréversible.',
  addHeading: 'Nouveau webhook',
  address: 'Adresse',
  addressHint: 'Une adresse publique, par exemple https://example.org/hook.',
  add: 'Ajouter un webhook',
  limitReached: 'Vous avez {limit} webhooks, soit le maximum. Supprimez-en un pour en ajouter un autre.',
  newWebhook: {
    shownOnce:
      'Voici la clé de signature de votre nouveau webhook. Elle n’est affichée que maintenant\u00a0: copiez-la et gardez-la en lieu sûr.',
    copy: 'Copier la clé',
    copyFailed: 'La copie n’a pas fonctionné. Veuillez sélectionner la clé et la copier vous-même.',
    useHeading: 'Ce qu’il faut en faire',
    useLead:
      'Donnez-la au programme destinataire, qui s’en sert pour vérifier l’en-tête webhook-signature de chaque notification. Les bibliothèques pour Standard Webhooks le font.',
    next: 'Envoyez ensuite un test depuis la liste des webhooks.',
  },
  fieldErrors: {
    not_a_url:
      'Entrez une adresse complète, par exemple https://example.org/hook, sans nom d’utilisateur, mot de passe ni #.',
    not_https: 'Entrez une adresse qui commence par https://.',
    address_not_allowed: 'Ce service n’envoie rien à cette adresse. Entrez une adresse publique.',
  },
  done: {
    webhookTested: 'Le test a été remis et le webhook est actif.',
    webhookDeleted: 'Le webhook est supprimé.',
  },
}
