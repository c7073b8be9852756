import type { LinkTexts } from '../en/link.ts'

export const de: LinkTexts = {
  ready: {
    heading: 'Sie haben eine vertrauliche Nachricht',
    lead: 'Sie ist noch versiegelt.',
    from: 'Von {name}. Sie ist noch versiegelt.',
    readers: 'Wer diesen Link hat, kann sie lesen. Bitte geben Sie ihn nicht weiter.',
    readersWithPassword:
      'Sie lässt sich nur mit diesem Link und dem Passwort zusammen öffnen. Wer den Server kontrolliert, kann sie beim Öffnen lesen.',
    once: 'Sie kann {once} geöffnet werden. Öffnen Sie sie, wenn Sie eine Kopie aufbewahren können.',
    onceWord: 'nur einmal',
    more: {
      one: 'Sie kann noch {count} Mal geöffnet werden.',
      other: 'Sie kann noch {count} Mal geöffnet werden.',
    },
    until: 'Sie wird am {time} gelöscht ({when}).',
    open: 'Nachricht öffnen',
    opening: 'Wird geöffnet …',
  },
  again: {
    heading: 'Sie haben diese Nachricht schon geöffnet',
    lead: 'Noch einmal öffnen zählt als weiteres Mal, und vielleicht hat der Absender die Anzahl begrenzt.',
    open: 'Noch einmal öffnen',
  },
  password: {
    label: 'Passwort',
    hint: 'Wenn Sie es nicht haben, fragen Sie den Absender. Geben Sie hier nie das Passwort Ihrer E-Mail oder eines anderen Kontos ein.',
    show: 'Passwort anzeigen',
    missing: 'Bitte geben Sie das Passwort ein.',
    wrong: 'Dieses Passwort stimmt nicht.',
    wrongAdvice:
      'Groß- und Kleinschreibung und Leerzeichen zählen. Fragen Sie im Zweifel den Absender: Nach mehreren falschen Versuchen ist der Link eine Weile gesperrt.',
  },
  opened: {
    title: 'Vertrauliche Nachricht',
    from: 'Vertrauliche Nachricht von {name}',
    copy: 'Kopieren',
    copied: 'Kopiert',
    copyFailed: 'Das Kopieren hat nicht geklappt. Bitte markieren Sie den Text und kopieren Sie ihn selbst.',
    save: 'Als Datei speichern',
    select: 'Klicken Sie auf den Text, um ihn ganz zu markieren, und kopieren Sie ihn dann.',
    last: 'Sie ist hier jetzt gelöscht. Kopieren Sie sie, bevor Sie die Seite schließen.',
    left: {
      one: 'Sie lässt sich noch {count} Mal öffnen, bis zum {time}.',
      other: 'Sie lässt sich noch {count} Mal öffnen, bis zum {time}.',
    },
    unlimited: 'Sie können sie bis zum {time} wieder öffnen.',
  },
  files: {
    attached: { one: 'Sie bringt {count} Datei mit:', other: 'Sie bringt {count} Dateien mit:' },
    heading: 'Dateien',
    save: 'Speichern',
    until: 'Sie können jede Datei bis {time} speichern ({when}), so oft wie nötig.',
    over: 'Die Dateien lassen sich hier nicht mehr speichern.',
    unchecked: 'Niemand hat diese Dateien geprüft. Öffnen Sie nur, was Sie erwartet haben.',
    last: 'Sie ist hier jetzt gelöscht. Kopieren Sie sie und speichern Sie die Dateien, bevor Sie die Seite schließen.',
  },
  gone: {
    heading: 'Hier gibt es keine Nachricht zu öffnen',
    lead: 'Vielleicht ist der Link abgelaufen, wurde schon so oft geöffnet wie erlaubt oder nicht vollständig kopiert.',
    advice: 'Bitten Sie die Person, die ihn geschickt hat, um einen neuen.',
    help: 'Wenn Sie Hilfe brauchen: {contact}.',
  },
  locked: {
    heading: 'Dieser Link ist vorübergehend gesperrt',
    lead: 'Es wurden zu viele falsche Passwörter eingegeben. Sie können es um {time} wieder versuchen ({when}).',
    advice: 'Die Nachricht ist noch da. Fragen Sie inzwischen den Absender nach dem richtigen Passwort.',
  },
  crowded: {
    heading: 'Einen Moment, bitte',
    lead: 'Dieser Link wird gerade mehrfach gleichzeitig geöffnet. Bitte versuchen Sie es in ein paar Sekunden noch einmal.',
  },
  busy: {
    heading: 'Der Server ist gerade ausgelastet',
    lead: 'Es wurde nichts geöffnet und nichts verbraucht. Bitte versuchen Sie es in ein paar Sekunden noch einmal.',
  },
  unwritable: {
    heading: 'Der Server kann gerade nicht schreiben',
    lead: 'Es wurde nichts geöffnet und nichts verbraucht. Bitte versuchen Sie es später noch einmal.',
  },
  uncertain: {
    heading: 'Die Verbindung brach ab, während die Nachricht geöffnet wurde',
    lead: 'Möglicherweise wurde ein Abruf verbraucht, und es wurde nichts angezeigt. Bitte gehen Sie zur Seite des Links zurück und versuchen Sie es noch einmal. Ist die Nachricht nicht mehr da, bitten Sie den Absender um einen neuen Link.',
  },
  failed: {
    heading: 'Bei uns ist etwas schiefgegangen',
    lead: 'Es lag nicht an Ihnen. Bitte versuchen Sie es später noch einmal, und sagen Sie dem Absender Bescheid, wenn es wieder geschieht.',
  },
  refused: {
    heading: 'Diese Anfrage wurde nicht angenommen',
    lead: 'Sie kam nicht von der Seite dieses Links, darum wurde nichts geöffnet. Bitte beginnen Sie auf dieser Seite.',
  },
  unreadable: {
    heading: 'Diese Anfrage war nicht lesbar',
    lead: 'Es wurde nichts geöffnet. Bitte beginnen Sie noch einmal auf der Seite des Links.',
  },
  request: {
    heading: 'Einen vertraulichen Text übergeben',
    from: '{name} bittet Sie um einen vertraulichen Text',
    fromService: 'Jemand, der {service} nutzt, bittet Sie um einen vertraulichen Text',
    unverified: 'Diesen Namen hat die Person gewählt, die Sie bittet. Niemand hat ihn geprüft.',
    label: 'Ihr Text',
    readers: 'Lesen kann ihn die Person, die Sie bittet, und wer den Server kontrolliert.',
    send: 'Übergeben',
    sending: 'Wird gesendet …',
    until: 'Sie können bis zum {time} antworten ({when}).',
    caution:
      'Antworten Sie nur, wenn Sie damit gerechnet haben. Fragen Sie im Zweifel die Person auf einem anderen Weg, bevor Sie etwas eingeben.',
    missing: 'Bitte geben Sie den Text ein.',
    tooLong: 'Der Text ist länger, als dieser Dienst annimmt. Bitte kürzen Sie ihn.',
    notText: 'Der Text enthält Zeichen, die nicht gespeichert werden können.',
    tooMany:
      'Aus Ihrem Netz kamen zu viele Antworten. Ihr Text ist noch da: Senden Sie ihn {when} noch einmal.',
    busy: 'Der Server ist gerade ausgelastet, und es wurde nichts übergeben. Ihr Text ist noch da: Senden Sie ihn in ein paar Sekunden noch einmal.',
    unwritable:
      'Der Server kann gerade nicht schreiben, und es wurde nichts übergeben. Ihr Text ist noch da: Senden Sie ihn später noch einmal.',
    uncertain:
      'Die Verbindung brach ab. Vielleicht ist Ihr Text schon angekommen. Senden Sie ihn noch einmal: Er wird nie doppelt aufgenommen.',
    failed: 'Bei uns ist etwas schiefgegangen, und es wurde nichts übergeben. Ihr Text ist noch da.',
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
      heading: 'Ihr Text ist angekommen',
      lead: 'Er wurde am {time} übergeben und kann hier nicht mehr gelesen werden.',
      advice: 'Sie können diese Seite schließen.',
    },
    gone: {
      heading: 'Hier gibt es nichts zu beantworten',
      lead: 'Vielleicht wurde die Anfrage schon beantwortet oder geschlossen, ist abgelaufen, oder der Link wurde nicht vollständig kopiert.',
      advice: 'Bitten Sie die Person, die ihn geschickt hat, um einen neuen.',
    },
  },
  retry: 'Noch einmal versuchen',
  restart: 'Zur Seite des Links',
  unknown: {
    heading: 'Hier ist keine Seite',
    lead: 'Vielleicht wurde die Adresse nicht vollständig kopiert.',
  },
  language: 'Sprache',
  about: 'Ohne Konto, ohne Installation.',
}
