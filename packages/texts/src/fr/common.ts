import type { CommonTexts } from '../en/common.ts'

export const common: CommonTexts = {
  navigation: {
    label: 'Rubriques',
    skip: 'Aller au contenu',
    signOut: 'Se déconnecter',
  },
  fieldErrors: {
    empty: 'Veuillez remplir ce champ.',
    too_long: {
      one: 'Utilisez au maximum {limit} caractère.',
      many: 'Utilisez au maximum {limit} de caractères.',
      other: 'Utilisez au maximum {limit} caractères.',
    },
    too_long_bytes: {
      one: 'C’est trop long\u00a0: {limit} octet au maximum.',
      many: 'C’est trop long\u00a0: {limit} d’octets au maximum.',
      other: 'C’est trop long\u00a0: {limit} octets au maximum.',
    },
    control_character: 'Supprimez les sauts de ligne et les autres caractères de contrôle.',
    invisible_character: 'Supprimez les caractères invisibles et ceux qui changent le sens de l’écriture.',
    nul_character: 'Supprimez le caractère NUL.',
    lone_surrogate: 'Un caractère est endommagé.',
    out_of_range: 'Entrez un nombre entier, {limit} au maximum.',
    not_a_number: 'Entrez un nombre entier.',
    not_an_email: 'Entrez une adresse e-mail, par exemple ada@example.org.',
    unknown_folder: 'Choisissez l’un de vos dossiers.',
    not_a_file_name: 'Le nom d’un fichier contient /, \\ ou un caractère invisible. Renommez-le.',
    sealed_draft: 'Un texte chiffré dans le navigateur ne peut pas être gardé comme brouillon.',
    too_many: 'Choisissez {limit} fichiers au maximum.',
    unknown_choice: 'Choisissez l’une des options.',
    too_short: {
      one: 'Utilisez au moins {limit} caractère.',
      many: 'Utilisez au moins {limit} de caractères.',
      other: 'Utilisez au moins {limit} caractères.',
    },
    too_common: 'Beaucoup de gens utilisent ce mot de passe. Choisissez-en un autre.',
    contains_email:
      'Il contient le mot «\u00a0{word}\u00a0», qui figure dans votre adresse e-mail. Retirez ce mot.',
    wrong_password: 'Ce mot de passe n’est pas le bon.',
    password_again: 'Entrez de nouveau le mot de passe\u00a0: aucune page ne le renvoie.',
  },
  invalidForm: 'Rien n’a encore été fait. Veuillez d’abord corriger\u00a0:',
  help: 'Aide',
  cancel: 'Annuler',
  showPassword: 'Afficher le mot de passe',
  notFound: {
    heading: 'Il n’y a rien ici',
    lead: 'Ce que vous cherchez n’existe pas, a expiré, a été supprimé ou appartient à un autre compte.',
  },
  refused: {
    heading: 'Cette demande ne venait pas de notre page',
    lead: 'Un autre site a envoyé ce formulaire, donc rien n’a été modifié. Ouvrez la page ici et réessayez.',
  },
  unreadable: {
    heading: 'Ce formulaire n’a pas pu être lu',
    lead: 'Rien n’a été modifié. Revenez en arrière, rechargez la page et réessayez.',
  },
  busy: {
    heading: 'Le service est occupé',
    lead: 'Rien n’a été modifié. Veuillez réessayer dans quelques secondes.',
  },
  unwritable: {
    heading: 'Le service ne peut rien enregistrer pour le moment',
    lead: 'Rien n’a été modifié. Veuillez réessayer plus tard.',
  },
  uncertain: {
    heading: 'La connexion à la base de données s’est interrompue',
    lead: 'L’action a peut-être tout de même eu lieu. Veuillez le vérifier avant de réessayer.',
  },
  failed: {
    heading: 'Une erreur s’est produite',
    lead: 'L’erreur a été consignée. Veuillez réessayer et, si cela se reproduit, demander à l’administrateur de ce service.',
  },
  tooMany: {
    heading: 'Trop de modifications',
    lead: 'Rien n’a été modifié. Vous pourrez continuer {when}.',
  },
  sessionOver: {
    heading: 'Votre session est fermée',
    lead: 'Ce que vous avez saisi n’a pas été enregistré, mais cette page le contient encore, sauf les mots de passe. Connectez-vous dans un nouvel onglet, puis revenez et envoyez-le de nouveau.',
    nothingKept: 'Rien n’a été enregistré ni modifié. Connectez-vous, puis recommencez.',
    signIn: 'Se connecter dans un nouvel onglet',
    sendAgain: 'Envoyer de nouveau',
  },
  home: 'Vers vos messages',
  about:
    '{name} garde les messages chiffrés et les supprime à leur expiration ou après la dernière ouverture permise.',
}
