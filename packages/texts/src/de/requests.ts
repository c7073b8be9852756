import type { RequestMailTexts, RequestPageTexts, RequestsTexts } from '../en/requests.ts'

export const requests: RequestsTexts = {
  heading: 'Anfragen',
  newRequest: 'Neue Anfrage',
  lead: 'Bitten Sie jemanden um einen Text: Ein Konto braucht es dafür nicht. Was übergeben wird, wird einer Ihrer Entwürfe.',
  none: {
    heading: 'Keine Anfragen',
    lead: 'Eine Anfrage bekommt einen Link, den Sie der Person schicken, die Sie bitten.',
  },
  more: 'Weitere Anfragen',
  title: 'Anfrage',
  titleHint: 'Wer den Link hat, sieht ihn. Die Entwürfe bekommen ihn als Titel.',
  text: 'Was gesendet werden soll',
  textHint: 'Zum Beispiel welches Passwort, und wo es steht. Wer den Link hat, kann es lesen.',
  answers: 'Erlaubte Antworten',
  closes: 'Schließt nach',
  notify: 'Benachrichtigen, wenn geantwortet wird',
  takesFiles: 'Dateien dürfen angehängt werden',
  create: 'Anfrage erstellen',
  created: 'Die Anfrage ist bereit. Schicken Sie diesen Link der Person, die Sie bitten.',
  answered: 'Antworten: {count} von {allowed}',
  open: 'Offen bis {time}',
  closed: 'Geschlossen',
  answersHeading: 'Antworten',
  newAnswers: 'Neue Antworten',
  noAnswers: 'Hier wartet keine Antwort.',
  answerTo: 'Antwort auf {title}',
  isNew: 'Neu',
  copy: 'Kopieren',
  save: 'Als Datei speichern',
  edit: 'Bearbeiten',
  copyFailed:
    'Das Kopieren hat nicht geklappt. Bitte öffnen Sie die Antwort, markieren Sie den Text und kopieren Sie ihn selbst.',
  close: 'Schließen',
  closeHint: 'Der Link funktioniert sofort nicht mehr. Übergebene Antworten bleiben bei Ihren Entwürfen.',
  inFolder: { one: '{count} Anfrage', other: '{count} Anfragen' },
  sealed: {
    box: 'Antworten verschlüsseln',
    hint: 'Sie werden im Browser der Person verschlüsselt, die antwortet. Nur der Schlüssel, den dieser Browser erzeugt, entschlüsselt sie: Dieser Server kann sie nicht lesen. Titel und Frage kann er lesen.',
    heading: 'Schlüssel dieser Anfrage',
    keyNow:
      'Bewahren Sie diesen Schlüssel auch anderswo auf. Er wird nur jetzt gezeigt, und ohne ihn kann niemand die Antworten lesen.',
    copyKey: 'Schlüssel kopieren',
    copyKeyFailed: 'Das Kopieren ist nicht gelungen: Markieren Sie den Schlüssel und kopieren Sie ihn.',
    onDevice:
      'Der Schlüssel ist in diesem Browser. Mit ihm wird der Link gezeigt, und die Antworten werden entschlüsselt.',
    forget: 'Auf diesem Gerät vergessen',
    missing:
      'Der Schlüssel dieser Anfrage ist nicht auf diesem Gerät. Ohne ihn lässt sich weder der Link zeigen noch eine Antwort entschlüsseln.',
    field: 'Schlüssel',
    use: 'Diesen Schlüssel verwenden',
    wrong: 'Das ist nicht der Schlüssel dieser Anfrage.',
    insecure: 'Öffnen Sie diese Seite mit https.',
    noScript: 'Verschlüsselte Antworten brauchen JavaScript: Sie werden in diesem Browser entschlüsselt.',
    undecryptable: 'Der Text konnte nicht entschlüsselt werden',
    move: 'Verschieben',
    saveSealed: 'So speichern, wie er ist',
    saving: 'Wird gespeichert…',
    fileUndecryptable: 'Die Datei konnte nicht entschlüsselt werden. Es wurde nichts gespeichert.',
    fileFailed: 'Die Datei konnte nicht geladen werden. Bitte versuchen Sie es noch einmal.',
  },
  done: {
    requestClosed: 'Die Anfrage ist geschlossen.',
    answerDeleted: 'Die Antwort ist gelöscht.',
  },
}

export const requestPage: RequestPageTexts = {
  heading: 'Einen vertraulichen Text übergeben',
  from: '{name} bittet Sie um einen vertraulichen Text',
  fromService: 'Jemand, der {service} nutzt, bittet Sie um einen vertraulichen Text',
  unverified: 'Diesen Namen hat die Person gewählt, die Sie bittet. Niemand hat ihn geprüft.',
  label: 'Ihr Text',
  readers: 'Lesen kann ihn die Person, die Sie bittet, und wer den Server kontrolliert.',
  send: 'Senden',
  sending: 'Wird gesendet …',
  until: 'Sie können bis zum {time} antworten ({when}).',
  caution:
    'Antworten Sie nur, wenn Sie damit gerechnet haben. Fragen Sie im Zweifel die Person auf einem anderen Weg, bevor Sie etwas eingeben.',
  missing: 'Bitte geben Sie den Text ein.',
  tooLong: 'Der Text ist länger, als dieser Dienst annimmt. Bitte kürzen Sie ihn.',
  notText: 'Der Text enthält Zeichen, die nicht gespeichert werden können.',
  notSealed:
    'Der Text wurde nicht im Browser verschlüsselt oder ist länger, als dieser Dienst annimmt. Es wurde nichts übermittelt.',
  tooMany:
    'Aus Ihrem Netz kamen zu viele Antworten. Ihr Text ist noch da: Senden Sie ihn {when} noch einmal.',
  busy: 'Der Server ist gerade ausgelastet, und es wurde nichts übergeben. Ihr Text ist noch da: Senden Sie ihn in ein paar Sekunden noch einmal.',
  unwritable:
    'Der Server kann gerade nicht schreiben, und es wurde nichts übergeben. Ihr Text ist noch da: Senden Sie ihn später noch einmal.',
  uncertain:
    'Die Verbindung brach ab. Vielleicht ist Ihr Text schon angekommen. Senden Sie ihn noch einmal: Er wird nie doppelt aufgenommen.',
  failed: 'Bei uns ist etwas schiefgegangen, und es wurde nichts übergeben. Ihr Text ist noch da.',
  sealed: {
    readers:
      'Er wird in diesem Browser verschlüsselt, bevor er gesendet wird. Dieser Server kann ihn nicht lesen.',
    noScript: 'Dieses Formular braucht JavaScript oder den Befehl: {command}',
  },
  files: {
    label: 'Dateien',
    hint: 'Dateien allein genügen: höchstens {count}, jede bis zu {each}.',
    missing: 'Bitte geben Sie den Text ein, oder wählen Sie eine Datei.',
    tooMany: 'Es sind mehr als {count} Dateien.',
    tooLarge: 'Eine Datei ist größer als {limit}.',
    noRoom:
      'Für diese Dateien ist hier gerade kein Platz. Senden Sie weniger oder kleinere, oder nur den Text.',
    wrongName:
      'Der Name einer Datei ist zu lang oder hat Zeichen, die nicht erlaubt sind. Benennen Sie die Datei um.',
    broken: 'Die Dateien sind nicht vollständig angekommen.',
    notTaken:
      'Dateien können hier nicht mehr gesendet werden, und es wurde nichts übergeben. Ihr Text ist noch da.',
    again: 'Wählen Sie die Dateien noch einmal: Keine Seite schickt sie zurück.',
  },
  tooLarge: {
    heading: 'Der Text ist zu groß',
    lead: 'Es wurde nichts übergeben. Gehen Sie im Browser zurück, dort sollte der Text noch sein, und kürzen Sie ihn.',
  },
  refused: {
    heading: 'Dieser Text wurde nicht angenommen',
    lead: 'Er kam nicht von der Seite dieses Links, darum wurde nichts übergeben. Bitte beginnen Sie auf dieser Seite.',
  },
  unreadable: {
    heading: 'Das war nicht lesbar',
    lead: 'Es wurde nichts übergeben. Bitte beginnen Sie noch einmal auf der Seite des Links.',
  },
  received: {
    heading: 'Ihre Antwort ist angekommen',
    lead: 'Er wurde am {time} übergeben und kann hier nicht mehr gelesen werden.',
    advice: 'Sie können diese Seite schließen.',
  },
  gone: {
    heading: 'Hier gibt es nichts zu beantworten',
    lead: 'Vielleicht wurde die Anfrage schon beantwortet oder geschlossen, ist abgelaufen, oder der Link wurde nicht vollständig kopiert.',
    advice: 'Bitten Sie die Person, die ihn geschickt hat, um einen neuen.',
  },
}

export const requestMails: RequestMailTexts = {
  answered: {
    heading: 'Ihre Anfrage wurde beantwortet',
    lead: 'Die Antwort ist ein Entwurf im Ordner der Anfrage, mit deren Titel.',
    full: 'Es war die letzte Antwort, die die Anfrage annimmt. Der Link funktioniert nicht mehr.',
  },
  unanswered: {
    heading: 'Ihre Anfrage wurde ohne Antwort geschlossen',
    lead: 'Niemand hat sie rechtzeitig beantwortet. Der Link funktioniert nicht mehr.',
  },
  facts: {
    answers: 'Antworten bisher',
    answersLeft: 'Noch mögliche Antworten',
    closes: 'Schließt am',
    closed: 'Geschlossen am',
  },
  seeRequest: 'Anfrage ansehen',
  whyRequest:
    'Sie bekommen diese E-Mail, weil für die Anfrage „Bei einer Antwort benachrichtigen“ gewählt ist.',
}
