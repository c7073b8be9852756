import type { DraftsTexts } from '../en/drafts.ts'

export const drafts: DraftsTexts = {
  title: 'Borrador',
  lead: 'Ningún destinatario puede leer un borrador: recibe un enlace cuando usted lo comparte. Quien controle el servidor puede leer lo que pasa por él.',
  share: 'Compartir',
  shareHint: 'Guarda el borrador y crea su enlace.',
  hidden:
    'Este borrador tiene una contraseña. Su texto permanece oculto hasta que la escriba; puede cambiar todo lo demás y compartirlo sin la contraseña.',
  disabled:
    'Se ha escrito cien veces una contraseña incorrecta para este borrador. Su texto ya no se puede mostrar ni compartir. Escriba de nuevo el texto con una contraseña, o elimine el borrador.',
  showNote: 'Mostrar el texto',
  passwordAgain: 'Escriba de nuevo la contraseña para guardar el texto, o quítela.',
  changed:
    'Este borrador se modificó en otra ventana después de que usted lo abriera aquí. Aún no se ha guardado nada: lo que escribió sigue abajo, y si lo guarda ahora, sustituirá los otros cambios.',
  gone: 'Este borrador se eliminó o se compartió en otra ventana. Lo que escribió sigue abajo: puede guardarlo como un borrador nuevo o compartirlo.',
  removePassword: 'Quitar la contraseña',
  delete: 'Eliminar el borrador',
  deleteHeading: '¿Eliminar este borrador?',
  deleteLead: 'Su contenido se elimina de inmediato. Esta acción no se puede deshacer.',
  list: {
    heading: 'Borradores',
    none: {
      heading: 'Aquí no hay borradores',
      lead: 'Para escribir uno, elija «Guardar como borrador» en la página de un nuevo mensaje.',
    },
    more: 'Más borradores',
  },
  done: {
    draftSaved: 'El borrador se ha guardado.',
    draftNotShared: 'El borrador está guardado, pero no se pudo compartir. Inténtelo de nuevo.',
    draftDeleted: 'El borrador se ha eliminado.',
  },
}
