import type { AccountsTexts } from '../en/accounts.ts'

export const accounts: AccountsTexts = {
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
  yourName: { field: 'Votre nom', hint: 'Quiconque reçoit un lien de vous le voit.' },
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
      lead: 'Tout ce qui appartient à votre compte, au format JSON\u00a0: avec les textes de vos brouillons, sauf s’ils ont un mot de passe ou ont été chiffrés dans le navigateur, mais jamais ceux des messages.',
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
  done: {
    emailAsked:
      'Un e-mail est en route vers la nouvelle adresse. Votre adresse change quand vous ouvrez le lien qu’il contient, dans les 24 heures.',
    nameSaved: 'Le nom affiché est enregistré.',
    nameErased: 'Le nom affiché est supprimé.',
    languageSaved: 'La langue est enregistrée.',
  },
}
