import type { NotificationsTexts } from '../en/notifications.ts'

export const fr: NotificationsTexts = {
  heading: 'Notifications',
  lead: 'Pour chaque message avec «\u00a0Me prévenir de l’ouverture\u00a0»\u00a0: à son ouverture, à son blocage par de mauvais mots de passe et à son expiration sans ouverture.',
  tooManyTests: 'Aucun test n’a été envoyé, car il y en a eu trop. Vous pourrez envoyer le prochain {when}.',
  mails: {
    heading: 'E-mails',
    lead: 'Ils sont envoyés à {email} et ne contiennent jamais le texte, le lien ou le mot de passe d’un message.',
    enabled: 'Envoyer des e-mails quand un message est ouvert, bloqué ou expire sans ouverture',
    nameLabels: 'Y indiquer le titre du message',
    save: 'Enregistrer',
    test: 'Envoyer un e-mail de test',
    testFailed: 'L’e-mail de test n’a pas pu être envoyé\u00a0: {reason}.',
    unavailable:
      'Ce service n’envoie pas d’e-mails\u00a0: son administrateur n’a pas configuré de serveur de messagerie.',
    noEmail: 'Votre compte n’a pas d’adresse e-mail, vous ne recevez donc pas d’e-mails.',
  },
  webhooks: {
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
  },
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
    mailsSaved: 'Votre choix est enregistré.',
    mailTested: 'Le serveur de messagerie a accepté l’e-mail de test. Il devrait bientôt vous parvenir.',
    webhookTested: 'Le test a été remis et le webhook est actif.',
    webhookDeleted: 'Le webhook est supprimé.',
  },
}
