import type { LinkTexts } from '../en/link.ts'
import { requestPage } from './requests.ts'

export const link: LinkTexts = {
  ready: {
    heading: 'Sie haben eine vertrauliche Nachricht',
    lead: 'Sie ist noch versiegelt.',
    from: 'Von {name}. Sie ist noch versiegelt.',
    readers: 'Wer diesen Link hat, kann sie lesen. Bitte geben Sie ihn nicht weiter.',
    readersWithPassword: 'Sie lässt sich nur mit diesem Link und dem Passwort zusammen öffnen.',
    operator: 'Wer den Server kontrolliert, kann sie beim Öffnen lesen.',
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
    from: 'Von {name}',
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
  sealed: {
    readers: 'Im Browser des Absenders verschlüsselt. Dieser Server kann sie nicht lesen.',
    incomplete:
      'Dieser Link ist unvollständig. Der Teil nach # fehlt. Bitten Sie um den ganzen Link. Es wurde nichts geöffnet.',
    insecure: 'Öffnen Sie diesen Link mit https.',
    noScript: 'Diese Nachricht braucht JavaScript oder den Befehl: {command}',
    undecryptable: 'Der Text konnte nicht entschlüsselt werden',
    advice:
      'Er wurde verändert oder mit einem anderen Schlüssel verschlüsselt. Speichern Sie ihn, wie er ist, und sagen Sie es dem Absender.',
    saving: 'Wird gespeichert …',
    fileUndecryptable: 'Die Datei konnte nicht entschlüsselt werden. Es wurde nichts gespeichert.',
    fileFailed: 'Die Datei konnte nicht abgerufen werden. Bitte versuchen Sie es noch einmal.',
  },
  keyWrong: {
    heading: 'Der Schlüssel dieses Links fehlt oder ist falsch',
    lead: 'Es wurde nichts geöffnet. Bitten Sie den Absender um den ganzen Link, mit allem nach dem #.',
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
  request: requestPage,
  retry: 'Noch einmal versuchen',
  restart: 'Zur Seite des Links',
  unknown: {
    heading: 'Hier ist keine Seite',
    lead: 'Vielleicht wurde die Adresse nicht vollständig kopiert.',
  },
  language: 'Sprache',
  about: 'Ohne Konto, ohne Installation.',
}
