import type { NotificationsTexts } from '../en/notifications.ts'

export const notifications: NotificationsTexts = {
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
  done: {
    mailsSaved: 'Votre choix est enregistré.',
    mailTested: 'Le serveur de messagerie a accepté l’e-mail de test. Il devrait bientôt vous parvenir.',
  },
}
