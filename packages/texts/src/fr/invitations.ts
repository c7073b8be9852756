import type { InvitationsTexts } from '../en/invitations.ts'

export const invitations: InvitationsTexts = {
  inviteHeading: 'Bienvenue',
  resetHeading: 'Choisir un nouveau mot de passe',
  invited:
    '{name} vous invite à transmettre des mots de passe et d’autres textes confidentiels par des liens qui ne fonctionnent qu’autant de fois et aussi longtemps que vous le choisissez.',
  forAccount: 'Choisissez un mot de passe pour {email}.',
  passwordHint: {
    one: 'Au moins {count} caractère. Une suite de quelques mots est facile à retenir.',
    many: 'Au moins {count} de caractères. Une suite de quelques mots est facile à retenir.',
    other: 'Au moins {count} caractères. Une suite de quelques mots est facile à retenir.',
  },
  passwordWord: 'N’y mettez pas le mot «\u00a0{word}\u00a0», qui figure dans votre adresse e-mail.',
  submit: 'Enregistrer et se connecter',
  endsSessions: 'Un nouveau mot de passe ferme toutes les autres sessions de votre compte.',
  removesWebhooks:
    'L’enregistrement du mot de passe supprime ces webhooks du compte, car quelqu’un d’autre a pu les ajouter. Vous pourrez les ajouter de nouveau dans les paramètres.',
  gone: {
    heading: 'Ce lien ne peut pas être utilisé',
    lead: 'Il a déjà été utilisé, a expiré ou a été remplacé par un plus récent. L’administrateur de ce service peut vous en envoyer un autre.',
  },
  done: {
    invitation: 'Votre mot de passe est enregistré et votre session est ouverte.',
    invitationWithoutWebhooks:
      'Votre mot de passe est enregistré et votre session est ouverte. Les webhooks que le compte avait sont supprimés\u00a0; vous pouvez les ajouter de nouveau dans les paramètres.',
  },
}
