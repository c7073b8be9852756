import type { SignInTexts } from '../en/sign-in.ts'

export const signIn: SignInTexts = {
  heading: 'Anmelden',
  email: 'E-Mail',
  password: 'Passwort',
  submit: 'Anmelden',
  wrong: 'E-Mail und Passwort passen zu keinem Konto.',
  locked: 'Es gab zu viele Fehlversuche. Sie können es {when} wieder versuchen.',
  crowded: 'Andere Versuche werden noch geprüft. Bitte versuchen Sie es gleich noch einmal.',
  forgot: 'Noch kein Passwort, oder vergessen?',
  resetAsked:
    'Wenn es ein Konto mit dieser E-Mail-Adresse gibt, ist eine E-Mail mit einem einmaligen Link unterwegs. Der Link funktioniert eine Stunde lang.',
  signedOut: 'Sie sind abgemeldet.',
  accountDeleted: 'Ihr Konto ist gelöscht, mit allem, was darin war.',
  toContinue: 'Bitte melden Sie sich an, um diese Seite zu sehen.',
  api: 'Diese Adresse gehört zur API, die Programme mit einem Zugriffstoken benutzen. Melden Sie sich an, um eines zu erstellen.',
}
