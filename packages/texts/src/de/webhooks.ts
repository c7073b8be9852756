import type { WebhooksTexts } from '../en/webhooks.ts'

export const webhooks: WebhooksTexts = {
  heading: 'Webhooks',
  lead: 'Programme erfahren es über Webhooks: Jede Benachrichtigung wird als signiertes JSON an die Adressen unten geschickt.',
  none: {
    heading: 'Keine Webhooks',
    lead: 'Fügen Sie die Adresse eines Programms hinzu, das benachrichtigt werden soll.',
  },
  unavailable: 'Dieser Dienst schickt keine Benachrichtigungen an Webhooks.',
  corrupted:
    'Einige Webhooks können nicht angezeigt werden, weil ihre Daten beschädigt sind. Bitte fragen Sie den Betreiber dieses Dienstes.',
  active: 'Aktiv',
  failing: 'Gestört',
  disabled: 'Abgeschaltet',
  createdAt: 'Hinzugefügt am {time}',
  failingSince: 'gestört seit {time}',
  disabledAt: 'abgeschaltet am {time}',
  reasons: {
    gone: 'Der Empfänger hat geantwortet, dass es diese Adresse nicht mehr gibt (410).',
    failing: 'Drei Tage lang konnte nichts zugestellt werden.',
  },
  enableAgain: 'Ein Test, der ankommt, schaltet ihn wieder ein.',
  test: 'Test schicken',
  testFailed: 'Der Test an {address} wurde nicht zugestellt: {reason}.',
  delete: 'Webhook löschen',
  deleteHeading: 'Diesen Webhook löschen?',
  deleteLead:
    'An diese Adresse wird nichts mehr geschickt, auch keine wartenden Benachrichtigungen. Das lässt sich nicht rückgängig machen.',
  addHeading: 'Neuer Webhook',
  address: 'Adresse',
  addressHint: 'Eine öffentliche Adresse, zum Beispiel https://example.org/hook.',
  add: 'Webhook hinzufügen',
  limitReached:
    'Sie haben {limit} Webhooks, mehr sind nicht möglich. Löschen Sie einen, um einen anderen hinzuzufügen.',
  newWebhook: {
    shownOnce:
      'Das ist der Signaturschlüssel Ihres neuen Webhooks. Er wird nur jetzt angezeigt: Kopieren Sie ihn und bewahren Sie ihn sicher auf.',
    copy: 'Schlüssel kopieren',
    copyFailed:
      'Das Kopieren hat nicht geklappt. Bitte markieren Sie den Schlüssel und kopieren Sie ihn selbst.',
    useHeading: 'Was Sie damit tun',
    useLead:
      'Geben Sie ihn dem empfangenden Programm. Es prüft damit bei jeder Benachrichtigung den Header webhook-signature. Bibliotheken für Standard Webhooks können das.',
    next: 'Schicken Sie danach einen Test aus der Liste der Webhooks.',
  },
  fieldErrors: {
    not_a_url:
      'Bitte geben Sie eine vollständige Adresse ein, etwa https://example.org/hook, ohne Benutzernamen, Passwort und #.',
    not_https: 'Bitte geben Sie eine Adresse ein, die mit https:// beginnt.',
    address_not_allowed:
      'An diese Adresse schickt dieser Dienst nichts. Bitte geben Sie eine öffentliche ein.',
  },
  done: {
    webhookTested: 'Der Test wurde zugestellt, und der Webhook ist aktiv.',
    webhookDeleted: 'Der Webhook ist gelöscht.',
  },
}
