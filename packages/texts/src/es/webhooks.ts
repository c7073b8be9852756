import type { WebhooksTexts } from '../en/webhooks.ts'

export const webhooks: WebhooksTexts = {
  heading: 'Webhooks',
  lead: 'Los programas reciben los avisos por webhooks: cada notificación se envía como JSON firmado a las direcciones de abajo.',
  none: {
    heading: 'No hay webhooks',
    lead: 'Añada la dirección de un programa que deba recibir los avisos.',
  },
  unavailable: 'Este servicio no envía notificaciones a webhooks.',
  corrupted:
    'Algunos webhooks no se pueden mostrar porque sus datos están dañados. Consulte a quien administra este servicio.',
  active: 'Activo',
  failing: 'Con fallos',
  disabled: 'Desactivado',
  createdAt: 'Añadido el {time}',
  failingSince: 'con fallos desde el {time}',
  disabledAt: 'desactivado el {time}',
  reasons: {
    gone: 'El receptor respondió que esta dirección ya no se usa (410).',
    failing: 'No se pudo entregar nada durante tres días.',
  },
  enableAgain: 'Una prueba que se entregue lo activa de nuevo.',
  test: 'Enviar una prueba',
  testFailed: 'La prueba para {address} no se ha entregado: {reason}.',
  delete: 'Eliminar el webhook',
  deleteHeading: '¿Eliminar este webhook?',
  deleteLead:
    'Ya no se enviará nada a esta dirección, ni siquiera las notificaciones en espera. Esta acción no se puede deshacer.',
  addHeading: 'Nuevo webhook',
  address: 'Dirección',
  addressHint: 'Una dirección pública, por ejemplo https://example.org/hook.',
  add: 'Añadir un webhook',
  limitReached: 'Tiene {limit} webhooks, que es el máximo. Elimine uno para añadir otro.',
  newWebhook: {
    shownOnce:
      'Esta es la clave de firma de su nuevo webhook. Solo se muestra ahora: cópiela y guárdela en un lugar seguro.',
    copy: 'Copiar la clave',
    copyFailed: 'No se ha podido copiar. Seleccione la clave y cópiela usted mismo, por favor.',
    useHeading: 'Qué hacer con ella',
    useLead:
      'Désela al programa receptor, que comprueba con ella la cabecera webhook-signature de cada notificación. Las bibliotecas para Standard Webhooks lo hacen.',
    next: 'Después envíe una prueba desde la lista de webhooks.',
  },
  fieldErrors: {
    not_a_url:
      'Escriba una dirección completa, por ejemplo https://example.org/hook, sin nombre de usuario, contraseña ni #.',
    not_https: 'Escriba una dirección que empiece por https://.',
    address_not_allowed: 'Este servicio no envía nada a esta dirección. Escriba una dirección pública.',
  },
  done: {
    webhookTested: 'La prueba se ha entregado y el webhook está activo.',
    webhookDeleted: 'El webhook se ha eliminado.',
  },
}
