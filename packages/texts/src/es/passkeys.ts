import type { PasskeysTexts } from '../en/passkeys.ts'

export const passkeys: PasskeysTexts = {
  heading: 'Llaves de acceso',
  lead: 'Una llave de acceso está en su teléfono, ordenador o llave de seguridad. Inicia sesión con su huella, su cara o un PIN, y no hay contraseña que alguien pueda averiguar.',
  none: 'Aún no hay llaves de acceso',
  use: 'Usar una llave de acceso',
  failed: 'No se ha usado ninguna llave de acceso. Puede intentarlo de nuevo.',
  refused: 'Esta llave de acceso no se ha aceptado. Inténtelo de nuevo o inicie sesión de otra manera.',
  expired: 'Esta página ha estado abierta demasiado tiempo. Use su llave de acceso una vez más.',
  add: 'Añadir una llave de acceso',
  nameHint: 'Para distinguirla de otras, por ejemplo «Teléfono».',
  addedAt: 'Añadida {time}',
  usedAt: 'usada por última vez {time}',
  unused: 'aún sin usar',
  otherHost: 'Para {host}: aquí no funciona.',
  corrupted:
    'Algunas llaves de acceso no se pueden mostrar porque sus datos están dañados. Pregunte al operador de este servicio.',
  limitReached: 'Tiene {limit} llaves de acceso y no puede haber más. Elimine una que no use.',
  noneHere:
    'Este navegador no puede crear llaves de acceso. Abra esta página en otro navegador o en otro dispositivo.',
  notMade: 'No se ha creado ninguna llave de acceso. Puede intentarlo de nuevo.',
  known: 'Este dispositivo ya tiene una llave de acceso para su cuenta.',
  notAdded: 'La llave de acceso no se ha añadido. Inténtelo de nuevo.',
  confirmed: 'Gracias. Pulse una vez más «Añadir una llave de acceso».',
  delete: 'Eliminar',
  deleteHeading: '¿Eliminar esta llave de acceso?',
  deleteLead:
    'Nadie podrá iniciar sesión con ella, y las sesiones que empezaron con ella terminan, excepto esta. Elimínela también en su dispositivo.',
  last: 'Esta llave de acceso es la única manera de iniciar sesión en su cuenta. Añada antes otra manera.',
  done: {
    passkeyAdded: 'La llave de acceso se ha añadido. Desde ahora puede iniciar sesión con ella.',
    passkeyDeleted: 'La llave de acceso se ha eliminado.',
  },
}
