import type { PasskeysTexts } from '../en/passkeys.ts'

export const passkeys: PasskeysTexts = {
  heading: 'Passkeys',
  lead: 'Ein Passkey ist ein Schlüssel auf Ihrem Handy, Computer oder Sicherheitsschlüssel. Sie melden sich mit Fingerabdruck, Gesicht oder PIN an und haben kein Passwort, das jemand erfahren könnte.',
  none: 'Noch keine Passkeys',
  use: 'Passkey verwenden',
  failed: 'Es wurde kein Passkey verwendet. Sie können es noch einmal versuchen.',
  refused:
    'Dieser Passkey wurde nicht angenommen. Versuchen Sie es noch einmal, oder melden Sie sich anders an.',
  expired: 'Diese Seite war zu lange offen. Bitte verwenden Sie Ihren Passkey noch einmal.',
  add: 'Passkey hinzufügen',
  nameHint: 'Daran unterscheiden Sie ihn von anderen, zum Beispiel „Handy“.',
  addedAt: 'Hinzugefügt {time}',
  usedAt: 'zuletzt verwendet {time}',
  unused: 'noch nicht verwendet',
  otherHost: 'Für {host}: Er funktioniert hier nicht.',
  corrupted:
    'Einige Passkeys können nicht angezeigt werden, weil ihre Daten beschädigt sind. Wenden Sie sich an den Betreiber dieses Dienstes.',
  limitReached:
    'Sie haben {limit} Passkeys, mehr sind nicht möglich. Löschen Sie einen, den Sie nicht verwenden.',
  noneHere:
    'Dieser Browser kann keine Passkeys erstellen. Öffnen Sie diese Seite in einem anderen Browser oder auf einem anderen Gerät.',
  notMade: 'Es wurde kein Passkey erstellt. Sie können es noch einmal versuchen.',
  known: 'Dieses Gerät hat bereits einen Passkey für Ihr Konto.',
  notAdded: 'Der Passkey wurde nicht hinzugefügt. Bitte versuchen Sie es noch einmal.',
  confirmed: 'Danke. Drücken Sie jetzt noch einmal „Passkey hinzufügen“.',
  delete: 'Löschen',
  deleteHeading: 'Diesen Passkey löschen?',
  deleteLead:
    'Niemand kann sich mehr mit ihm anmelden. Sitzungen, die mit ihm begonnen wurden, enden, außer dieser. Löschen Sie ihn auch auf Ihrem Gerät.',
  last: 'Nur mit diesem Passkey können Sie sich an Ihrem Konto anmelden. Fügen Sie zuerst einen anderen Weg hinzu.',
  done: {
    passkeyAdded: 'Der Passkey ist hinzugefügt. Sie können sich ab jetzt mit ihm anmelden.',
    passkeyDeleted: 'Der Passkey ist gelöscht.',
  },
}
