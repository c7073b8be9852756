import type { CommonTexts } from '../en/common.ts'

export const common: CommonTexts = {
  navigation: {
    label: 'Seiten',
    skip: 'Zum Inhalt springen',
    signOut: 'Abmelden',
  },
  fieldErrors: {
    empty: 'Bitte füllen Sie dieses Feld aus.',
    too_long: { one: 'Bitte höchstens {limit} Zeichen.', other: 'Bitte höchstens {limit} Zeichen.' },
    too_long_bytes: {
      one: 'Das ist zu lang: höchstens {limit} Byte.',
      other: 'Das ist zu lang: höchstens {limit} Byte.',
    },
    control_character: 'Bitte entfernen Sie Zeilenumbrüche und andere Steuerzeichen.',
    invisible_character:
      'Bitte entfernen Sie unsichtbare Zeichen und solche, die die Schreibrichtung ändern.',
    nul_character: 'Bitte entfernen Sie das NUL-Zeichen.',
    lone_surrogate: 'Hier ist ein Zeichen beschädigt.',
    out_of_range: 'Bitte geben Sie eine ganze Zahl bis {limit} ein.',
    not_a_number: 'Bitte geben Sie eine ganze Zahl ein.',
    not_an_email: 'Bitte geben Sie eine E-Mail-Adresse ein, etwa ada@example.org.',
    unknown_folder: 'Bitte wählen Sie einen Ihrer Ordner.',
    not_a_file_name:
      'Der Name einer Datei enthält /, \\ oder ein unsichtbares Zeichen. Bitte benennen Sie sie um.',
    sealed_draft: 'Ein Text, der im Browser verschlüsselt ist, kann kein Entwurf sein.',
    too_many: 'Bitte wählen Sie höchstens {limit} Dateien.',
    unknown_choice: 'Bitte wählen Sie eine der Möglichkeiten.',
    too_short: { one: 'Bitte mindestens {limit} Zeichen.', other: 'Bitte mindestens {limit} Zeichen.' },
    too_common: 'Dieses Passwort benutzen viele. Bitte wählen Sie ein anderes.',
    contains_email:
      'Das Passwort enthält das Wort „{word}“ aus Ihrer E-Mail-Adresse. Bitte lassen Sie es weg.',
    wrong_password: 'Dieses Passwort stimmt nicht.',
    password_again: 'Bitte geben Sie das Passwort noch einmal ein. Keine Seite schickt es zurück.',
  },
  invalidForm: 'Es ist noch nichts geschehen. Bitte korrigieren Sie zuerst:',
  help: 'Hilfe',
  cancel: 'Abbrechen',
  showPassword: 'Passwort anzeigen',
  notFound: {
    heading: 'Hier gibt es nichts',
    lead: 'Vielleicht gab es das nie, oder es ist abgelaufen, wurde gelöscht oder gehört zu einem anderen Konto.',
  },
  refused: {
    heading: 'Das kam nicht von unserer Seite',
    lead: 'Eine andere Website hat dieses Formular geschickt, darum wurde nichts geändert. Bitte öffnen Sie die Seite hier und versuchen Sie es noch einmal.',
  },
  unreadable: {
    heading: 'Dieses Formular war nicht lesbar',
    lead: 'Es wurde nichts geändert. Gehen Sie zurück, laden Sie die Seite neu und versuchen Sie es noch einmal.',
  },
  busy: {
    heading: 'Der Dienst ist gerade ausgelastet',
    lead: 'Es wurde nichts geändert. Bitte versuchen Sie es in ein paar Sekunden noch einmal.',
  },
  unwritable: {
    heading: 'Der Dienst kann gerade nicht schreiben',
    lead: 'Es wurde nichts geändert. Bitte versuchen Sie es später noch einmal.',
  },
  uncertain: {
    heading: 'Die Verbindung zur Datenbank brach ab',
    lead: 'Möglicherweise ist es trotzdem geschehen. Bitte sehen Sie nach, bevor Sie es noch einmal versuchen.',
  },
  failed: {
    heading: 'Etwas ist schiefgegangen',
    lead: 'Der Fehler wurde protokolliert. Bitte versuchen Sie es noch einmal, und fragen Sie den Betreiber dieses Dienstes, wenn es wieder geschieht.',
  },
  tooMany: {
    heading: 'Zu viele Änderungen',
    lead: 'Es wurde nichts geändert. Sie können {when} weitermachen.',
  },
  sessionOver: {
    heading: 'Sie sind abgemeldet',
    lead: 'Ihre Eingaben wurden nicht gespeichert, sind aber bis auf Passwörter noch auf dieser Seite. Melden Sie sich in einem neuen Tab an, kommen Sie dann zurück und senden Sie sie noch einmal.',
    nothingKept: 'Es wurde nichts gespeichert oder geändert. Melden Sie sich an und wiederholen Sie es dann.',
    signIn: 'In neuem Tab anmelden',
    sendAgain: 'Noch einmal senden',
  },
  home: 'Zu Ihren Nachrichten',
  about:
    '{name} bewahrt Nachrichten verschlüsselt auf und löscht sie, sobald sie ablaufen oder so oft wie erlaubt geöffnet wurden.',
}
