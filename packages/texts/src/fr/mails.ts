import type { MailTexts } from '../en/mails.ts'
import { requestMails } from './requests.ts'

export const mails: MailTexts = {
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
    lead: 'Personne ne l’a ouvert à temps. Son contenu est supprimé et le lien ne fonctionne plus.',
  },
  requests: requestMails,
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
  invitation: {
    once: 'Le lien ne fonctionne qu’une fois. Quiconque l’a peut choisir le mot de passe\u00a0: ne le transmettez à personne.',
    validUntil: 'Valable jusqu’au',
  },
  invite: {
    subject: 'Une invitation de {name}',
    heading: 'Une invitation pour vous',
    lead: '{name} vous invite sur {host}. Vous y transmettez des mots de passe et d’autres textes confidentiels par des liens qui ne fonctionnent qu’autant de fois et aussi longtemps que vous le choisissez. Un compte vous attend\u00a0: pour l’utiliser, choisissez un mot de passe.',
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
  confirm: {
    subject: 'Confirmez votre adresse e-mail sur {name}',
    heading: 'Confirmer votre nouvelle adresse e-mail',
    lead: 'Le titulaire d’un compte sur {name} veut désormais utiliser cette adresse e-mail. Le changement prend effet quand vous la confirmez.',
    action: 'Confirmer l’adresse',
    ignore: 'Si vous n’avez pas demandé cet e-mail, ignorez-le\u00a0: rien ne change alors.',
  },
  notices: {
    password_changed: {
      subject: 'Votre mot de passe sur {name} a été modifié',
      heading: 'Votre mot de passe a été modifié',
      lead: 'Votre compte sur {name} a un nouveau mot de passe, et ses autres sessions sont fermées.',
      next: 'Si ce n’était pas vous, choisissez tout de suite un nouveau mot de passe et prévenez l’administrateur du service.',
    },
    email_changed: {
      subject: 'Votre adresse e-mail sur {name} a été modifiée',
      heading: 'Votre adresse e-mail a été modifiée',
      lead: 'Votre compte sur {name} a désormais une autre adresse e-mail, avec laquelle vous vous connectez. Cette adresse-ci ne reçoit plus d’e-mails au sujet du compte.',
      next: 'Si ce n’était pas vous, prévenez aussitôt l’administrateur du service\u00a0: lui seul peut vous rendre le compte.',
    },
    mails_off: {
      subject: 'Les e-mails de {name} sont désactivés',
      heading: 'Les e-mails sur vos messages sont désactivés',
      lead: 'Dans les paramètres de votre compte sur {name}, les e-mails sur vos messages ont été désactivés. Celui-ci est le dernier.',
      next: 'Si ce n’était pas vous, changez votre mot de passe et réactivez-les.',
    },
    email_taken: {
      subject: 'Votre adresse e-mail sur {name}',
      heading: 'Cette adresse a déjà un compte',
      lead: 'Quelqu’un veut utiliser cette adresse e-mail pour un autre compte sur {name}. Elle appartient à votre compte\u00a0: rien n’a changé.',
      next: 'Si c’était vous, connectez-vous avec cette adresse pour utiliser le compte auquel elle appartient. Sinon, vous n’avez rien à faire.',
    },
  },
  test: { heading: 'E-mail de test', lead: 'Ceci est un test\u00a0: les e-mails de {name} arrivent ici.' },
}
