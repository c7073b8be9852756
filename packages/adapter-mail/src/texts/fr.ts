import type { MailTexts } from './texts.ts'

export const fr: MailTexts = {
  locale: 'fr',
  direction: 'ltr',
  opened: {
    heading: {
      one: 'Votre message a été ouvert',
      many: 'Votre message a été ouvert {count} de fois',
      other: 'Votre message a été ouvert {count} fois',
    },
    usedUp: 'Il a été ouvert pour la dernière fois, ce qui a supprimé son texte. Le lien ne fonctionne plus.',
  },
  locked: {
    heading: 'Votre message est bloqué',
    lead: 'Trop de mots de passe erronés ont été saisis sur son lien. La page du message indique jusqu’à quand il est bloqué, ou s’il est désactivé.',
  },
  expired: {
    heading: 'Votre message a expiré sans être ouvert',
    lead: 'Personne ne l’a ouvert à temps. Son texte est supprimé et le lien ne fonctionne plus.',
  },
  facts: {
    label: 'Titre',
    time: 'Date et heure',
    latest: 'Dernière ouverture',
    expired: 'Expiré le',
    opens: 'Ouvertures jusqu’ici',
    opensLeft: 'Ouvertures restantes',
    unlimited: 'Sans limite',
    expires: 'Expire le',
    page: 'Sa page était',
  },
  seeSecret: 'Voir le message',
  why: 'Vous recevez cet e-mail parce que «\u00a0Me prévenir de l’ouverture\u00a0» est choisi pour ce message.',
  settings: 'Dans les paramètres, vous choisissez les e-mails que vous recevez\u00a0: {url}',
  welcome: {
    once: 'Le lien ne fonctionne qu’une fois. Quiconque l’a peut choisir le mot de passe\u00a0: ne le transmettez à personne.',
    validUntil: 'Valable jusqu’au',
  },
  invite: {
    subject: 'Votre compte sur {name}',
    heading: 'Bienvenue',
    lead: 'Un compte vous attend sur {name}. Pour l’utiliser, choisissez un mot de passe.',
    action: 'Choisir un mot de passe',
    ignore: 'Si vous n’attendiez pas cet e-mail, ignorez-le.',
  },
  reset: {
    subject: 'Un nouveau mot de passe sur {name}',
    heading: 'Choisir un nouveau mot de passe',
    lead: 'Un nouveau mot de passe a été demandé pour votre compte sur {name}.',
    action: 'Choisir un nouveau mot de passe',
    ignore: 'Si vous n’avez pas demandé cet e-mail, ignorez-le.',
  },
  test: { heading: 'E-mail de test', lead: 'Ceci est un test\u00a0: les e-mails de {name} arrivent ici.' },
}
