import type { SignInTexts } from '../en/sign-in.ts'

export const signIn: SignInTexts = {
  heading: 'Iniciar sesión',
  email: 'Correo electrónico',
  password: 'Contraseña',
  submit: 'Iniciar sesión',
  wrong: 'El correo y la contraseña no corresponden a ninguna cuenta.',
  locked: 'Ha habido demasiados intentos fallidos. Podrá volver a intentarlo {when}.',
  crowded: 'Todavía se están comprobando otros intentos. Vuelva a intentarlo dentro de un segundo.',
  forgot: '¿Aún no tiene contraseña o la ha olvidado?',
  resetAsked:
    'Si hay una cuenta con esta dirección de correo, un correo con un enlace de un solo uso está en camino. El enlace funciona durante una hora.',
  signedOut: 'Se ha cerrado la sesión.',
  accountDeleted: 'Su cuenta se ha eliminado, con todo lo que contenía.',
  toContinue: 'Inicie sesión para ver esa página.',
  api: 'Esta dirección forma parte de la API, que los programas usan con un token de acceso. Inicie sesión para crear uno.',
}
