import type { SignInTexts } from '../en/sign-in.ts'

export const signIn: SignInTexts = {
  heading: 'Connexion',
  email: 'E-mail',
  password: 'Mot de passe',
  submit: 'Se connecter',
  wrong: 'L’e-mail et le mot de passe ne correspondent à aucun compte.',
  locked: 'Il y a eu trop de tentatives échouées. Vous pourrez réessayer {when}.',
  crowded: 'D’autres tentatives sont en cours de vérification. Veuillez réessayer dans une seconde.',
  forgot: 'Pas encore de mot de passe, ou mot de passe oublié\u00a0?',
  resetAsked:
    'S’il existe un compte avec cette adresse e-mail, un e-mail avec un lien à usage unique est en route. Le lien fonctionne pendant une heure.',
  signedOut: 'Votre session est fermée.',
  accountDeleted: 'Votre compte est supprimé, avec tout ce qu’il contenait.',
  toContinue: 'Connectez-vous pour voir cette page.',
  api: 'Cette adresse fait partie de l’API, que les programmes utilisent avec un jeton d’accès. Connectez-vous pour en créer un.',
}
