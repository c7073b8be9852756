import type { AccessTokensTexts } from '../en/access-tokens.ts'

export const accessTokens: AccessTokensTexts = {
  heading: 'Zugriffstoken',
  lead: 'Programme benutzen die API mit einem Zugriffstoken. Wer ein Token hat, kann alles tun, was es erlaubt. Behandeln Sie es darum wie ein Passwort.',
  none: {
    heading: 'Keine Zugriffstoken',
    lead: 'Erstellen Sie eines, um die API aus einem Programm oder einem Terminal zu benutzen.',
  },
  newHeading: 'Neues Zugriffstoken',
  create: 'Neues Token',
  name: 'Name',
  nameHint: 'Wofür es ist, zum Beispiel der Name des Programms.',
  scopes: 'Berechtigungen',
  read: 'Ordner und Nachrichten auflisten und abrufen (read)',
  write: 'Nachrichten erstellen und löschen (write)',
  expires: 'Läuft ab',
  never: 'Nie',
  afterDays: { one: 'Nach {count} Tag', other: 'Nach {count} Tagen' },
  revoke: 'Löschen',
  revokeHeading: 'Dieses Zugriffstoken löschen?',
  revokeLead:
    'Programme, die es benutzen, werden von nun an abgewiesen. Das lässt sich nicht rückgängig machen.',
  createdAt: 'Erstellt am {time}',
  expiresAt: 'läuft am {time} ab',
  expiredAt: 'abgelaufen am {time}',
  revokedAt: 'gelöscht am {time}',
  lastUsedAt: 'zuletzt benutzt am {time}',
  unused: 'nie benutzt',
  shownOnce:
    'Das ist Ihr neues Zugriffstoken. Es wird nur jetzt angezeigt: Kopieren Sie es und bewahren Sie es sicher auf.',
  copy: 'Token kopieren',
  copyFailed: 'Das Kopieren hat nicht geklappt. Bitte markieren Sie das Token und kopieren Sie es selbst.',
  tryIt: 'Im Terminal ausprobieren',
  finish: 'Fertig',
  done: {
    tokenRevoked: 'Das Zugriffstoken ist gelöscht.',
  },
}
