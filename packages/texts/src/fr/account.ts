import type { AccountTexts } from '../en/account.ts'

export const account: AccountTexts = {
  signIn: {
    heading: 'Connexion',
    email: 'E-mail',
    password: 'Mot de passe',
    submit: 'Se connecter',
    wrong: 'L’e-mail et le mot de passe ne correspondent à aucun compte. Vérifiez les deux et réessayez.',
    locked: 'Il y a eu trop de tentatives échouées. Vous pourrez réessayer {when}.',
    crowded: 'D’autres tentatives sont en cours de vérification. Veuillez réessayer dans une seconde.',
    forgot: 'Pas encore de mot de passe, ou mot de passe oublié\u00a0?',
    resetAsked:
      'S’il existe un compte avec cette adresse e-mail, un e-mail avec un lien à usage unique est en route. Le lien fonctionne pendant une heure.',
    signedOut: 'Votre session est fermée.',
    accountDeleted: 'Votre compte est supprimé, avec tout ce qu’il contenait.',
    toContinue: 'Connectez-vous pour voir cette page.',
    api: 'Cette adresse fait partie de l’API, que les programmes utilisent avec un jeton d’accès. Connectez-vous pour en créer un.',
  },
  invitation: {
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
  },
  reset: {
    lead: 'Entrez l’adresse e-mail de votre compte. Vous recevrez un e-mail avec un lien à usage unique pour choisir un nouveau mot de passe. Si vous avez reçu une invitation, utilisez son lien.',
    submit: 'Envoyer le lien',
    tooMany: 'Trop d’e-mails ont été demandés. Vous pourrez en demander un autre {when}.',
    operator:
      'Ce service ne peut pas vous envoyer de lien par e-mail. Son administrateur peut vous donner un lien à usage unique pour choisir un nouveau mot de passe.',
    contact: 'Contact\u00a0: {contact}',
  },
  confirm: {
    heading: 'Confirmer votre adresse e-mail',
    lead: 'Votre compte prend l’adresse e-mail {email}. Vous vous connecterez désormais avec elle.',
    submit: 'Confirmer l’adresse',
    done: {
      heading: 'Votre adresse e-mail est modifiée',
      lead: 'Connectez-vous désormais avec la nouvelle.',
    },
    gone: {
      heading: 'Ce lien ne peut pas être utilisé',
      lead: 'Il a déjà été utilisé, a expiré ou a été remplacé par un plus récent, ou un autre compte a entre-temps cette adresse. Rien n’a été modifié.',
    },
  },
  settings: {
    heading: 'Paramètres',
    account: 'Compte',
    reauthenticationHint: 'Demandé de nouveau, car votre connexion date de plus de 10 minutes.',
    email: {
      heading: 'Adresse e-mail',
      change: 'Modifier l’e-mail',
      hint: 'Elle vous sert à vous connecter. Une nouvelle adresse doit être confirmée\u00a0: vous y recevrez un e-mail avec un lien.',
      operator:
        'Vous vous connectez avec {email}. Ce service n’envoie pas d’e-mails\u00a0: seul son administrateur peut modifier l’adresse.',
      notSent: 'Aucun e-mail n’a pu être envoyé à cette adresse. Vérifiez-la ou réessayez plus tard.',
    },
    password: {
      current: 'Mot de passe actuel',
      field: 'Nouveau mot de passe',
      change: 'Modifier le mot de passe',
    },
    displayName: {
      heading: 'Nom affiché',
      hint: 'Facultatif. Les destinataires le voient au-dessus de vos messages\u00a0: «\u00a0De la part de …\u00a0». Laissez le champ vide pour n’afficher aucun nom.',
      save: 'Enregistrer le nom',
    },
    language: {
      heading: 'Langue',
      field: 'Langue de vos pages',
      browser: 'Celle du navigateur',
      save: 'Enregistrer la langue',
    },
    download: {
      heading: 'Vos données',
      lead: 'Tout ce qui appartient à votre compte, au format JSON\u00a0: avec les textes de vos brouillons, sauf s’ils ont un mot de passe, mais jamais ceux des messages.',
      button: 'Télécharger',
    },
    deletion: {
      heading: 'Supprimer le compte',
      lead: 'Supprime votre compte avec tous les dossiers, brouillons, messages et jetons d’accès. Aucun lien ne fonctionnera plus.',
      question: 'Supprimer votre compte\u00a0?',
      questionLead:
        'Tous vos dossiers, brouillons et messages seront supprimés, et leurs liens ne fonctionneront plus. Cette action est irréversible.',
    },
  },
  accessTokens: {
    heading: 'Jetons d’accès',
    lead: 'Les programmes utilisent l’API avec un jeton d’accès. Toute personne qui a un jeton peut faire ce qu’il autorise\u00a0: traitez-le comme un mot de passe.',
    none: {
      heading: 'Aucun jeton d’accès',
      lead: 'Créez-en un pour utiliser l’API depuis un programme ou un terminal.',
    },
    newHeading: 'Nouveau jeton d’accès',
    create: 'Nouveau jeton',
    name: 'Nom',
    nameHint: 'À quoi il sert, par exemple le nom du programme.',
    scopes: 'Autorisations',
    read: 'Lister et consulter les dossiers et les messages (read)',
    write: 'Créer et supprimer des messages (write)',
    expires: 'Expiration',
    never: 'Jamais',
    afterDays: {
      one: 'Après {count} jour',
      many: 'Après {count} de jours',
      other: 'Après {count} jours',
    },
    revoke: 'Supprimer',
    revokeHeading: 'Supprimer ce jeton d’accès\u00a0?',
    revokeLead:
      'Les programmes qui l’utilisent seront refusés dès maintenant. Cette action est irréversible.',
    createdAt: 'Créé le {time}',
    expiresAt: 'expire le {time}',
    expiredAt: 'expiré le {time}',
    revokedAt: 'supprimé le {time}',
    lastUsedAt: 'dernière utilisation le {time}',
    unused: 'jamais utilisé',
    shownOnce:
      'Voici votre nouveau jeton d’accès. Il n’est affiché que maintenant\u00a0: copiez-le et gardez-le en lieu sûr.',
    copy: 'Copier le jeton',
    copyFailed: 'La copie n’a pas fonctionné. Veuillez sélectionner le jeton et le copier vous-même.',
    tryIt: 'L’essayer dans un terminal',
    done: 'Terminé',
  },
  sessions: {
    heading: 'Sessions',
    lead: 'Les navigateurs dans lesquels votre compte est connecté. Une session se ferme d’elle-même après 12 heures sans utilisation, et au bout de 14 jours. Un nom aide à les distinguer.',
    thisOne: 'Cette session',
    other: 'Autre session',
    startedAt: 'Connexion le {time}',
    end: 'Fermer la session',
    rename: 'Nommer la session',
  },
  done: {
    invitation: 'Votre mot de passe est enregistré et votre session est ouverte.',
    invitationWithoutWebhooks:
      'Votre mot de passe est enregistré et votre session est ouverte. Les webhooks que le compte avait sont supprimés\u00a0; vous pouvez les ajouter de nouveau dans les paramètres.',
    passwordChanged: 'Votre mot de passe est modifié et toutes les autres sessions sont fermées.',
    emailAsked:
      'Un e-mail est en route vers la nouvelle adresse. Votre adresse change quand vous ouvrez le lien qu’il contient, dans les 24 heures.',
    nameSaved: 'Le nom affiché est enregistré.',
    nameErased: 'Le nom affiché est supprimé.',
    languageSaved: 'La langue est enregistrée.',
    tokenRevoked: 'Le jeton d’accès est supprimé.',
    sessionNamed: 'Le nom de la session est enregistré.',
    sessionEnded: 'La session est fermée.',
  },
}
