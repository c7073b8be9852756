import type { AccessTokensTexts } from '../en/access-tokens.ts'

export const accessTokens: AccessTokensTexts = {
  heading: 'Tokens de acceso',
  lead: 'Los programas usan la API con un token de acceso. Cualquiera que tenga un token puede hacer lo que este permite, así que trátelo como una contraseña.',
  none: {
    heading: 'No hay tokens de acceso',
    lead: 'Cree uno para usar la API desde un programa o una terminal.',
  },
  newHeading: 'Nuevo token de acceso',
  create: 'Nuevo token',
  name: 'Nombre',
  nameHint: 'Para qué es, por ejemplo el nombre del programa.',
  scopes: 'Permisos',
  read: 'Listar y consultar carpetas y mensajes (read)',
  write: 'Crear y eliminar mensajes (write)',
  expires: 'Caduca',
  never: 'Nunca',
  afterDays: {
    one: 'Después de {count} día',
    many: 'Después de {count} de días',
    other: 'Después de {count} días',
  },
  revoke: 'Eliminar',
  revokeHeading: '¿Eliminar este token de acceso?',
  revokeLead: 'Los programas que lo usan se rechazan desde ahora. Esta acción no se puede deshacer.',
  createdAt: 'Creado el {time}',
  expiresAt: 'caduca el {time}',
  expiredAt: 'caducó el {time}',
  revokedAt: 'eliminado el {time}',
  lastUsedAt: 'último uso el {time}',
  unused: 'nunca usado',
  shownOnce:
    'Este es su nuevo token de acceso. Solo se muestra ahora: cópielo y guárdelo en un lugar seguro.',
  copy: 'Copiar el token',
  copyFailed: 'No se ha podido copiar. Seleccione el token y cópielo usted mismo, por favor.',
  tryIt: 'Pruébelo en una terminal',
  finish: 'Listo',
  done: {
    tokenRevoked: 'El token de acceso se ha eliminado.',
  },
}
