import type { FoldersTexts } from '../en/folders.ts'

export const folders: FoldersTexts = {
  newFolder: 'Nueva carpeta',
  create: 'Crear',
  labelHint: 'Los destinatarios no la ven.',
  manage: 'Cambiar el título o eliminar',
  rename: 'Cambiar el título',
  delete: 'Eliminar la carpeta',
  deleteHeading: '¿Eliminar esta carpeta?',
  deleteEmpty: 'La carpeta está vacía. Esta acción no se puede deshacer.',
  deleteFull:
    'Se eliminan con ella: {contents}. Los enlaces dejan de funcionar de inmediato. Esta acción no se puede deshacer.',
  secrets: { one: '{count} mensaje', many: '{count} de mensajes', other: '{count} mensajes' },
  drafts: { one: '{count} borrador', many: '{count} de borradores', other: '{count} borradores' },
  added: 'Se ha añadido algo a la carpeta desde la pregunta. Esto es lo que contiene ahora.',
  dashboard: {
    heading: 'Mensajes',
    folders: 'Carpetas',
    allFolders: 'Todas las carpetas',
    show: 'Mostrar',
    statuses: { all: 'Todos', waiting: 'En espera', opened: 'Abiertos', finished: 'Terminados' },
    noneOfStatus: { heading: 'Nada de este tipo', lead: 'Los demás mensajes están en «Todos».' },
    older: 'Mensajes anteriores',
    newest: 'Mensajes más recientes',
    noFolders: {
      heading: 'Empiece con una carpeta',
      lead: 'Las carpetas separan sus mensajes, por ejemplo una para cada cliente o proyecto.',
    },
    noSecrets: {
      heading: 'Aquí todavía no hay mensajes',
      lead: 'Escriba un texto, obtenga un enlace y envíelo a la persona que deba leerlo.',
      action: 'Escribir un mensaje',
    },
    corrupted:
      'Algunos mensajes no se pueden mostrar porque sus datos están dañados. Consulte a quien administra este servicio.',
  },
  search: {
    heading: 'Búsqueda',
    field: 'Buscar en todos los títulos',
    submit: 'Buscar',
    found: { one: '{count} encontrado', many: '{count} encontrados', other: '{count} encontrados' },
    stopped: {
      one: 'La búsqueda se detuvo tras {count} título.',
      many: 'La búsqueda se detuvo tras {count} de títulos.',
      other: 'La búsqueda se detuvo tras {count} títulos.',
    },
    more: 'Seguir buscando',
    nothing: {
      heading: 'Nada encontrado',
      lead: 'Ningún título contiene todas estas palabras. En los textos no se busca.',
    },
    busy: 'Otra búsqueda suya sigue en curso, así que no se ha buscado nada. Inténtelo de nuevo en un momento.',
  },
  several: {
    deleteSelected: 'Eliminar lo seleccionado',
    heading: '¿Eliminar lo seleccionado?',
    lead: 'Los enlaces dejan de funcionar y los contenidos se eliminan de inmediato. No se puede deshacer.',
    tooMany: {
      heading: 'Hay demasiados seleccionados',
      lead: 'Se pueden eliminar {limit} como máximo a la vez. No se ha eliminado nada.',
    },
    deletedSecrets: {
      one: '{count} mensaje eliminado.',
      many: '{count} de mensajes eliminados.',
      other: '{count} mensajes eliminados.',
    },
    deletedDrafts: {
      one: '{count} borrador eliminado.',
      many: '{count} de borradores eliminados.',
      other: '{count} borradores eliminados.',
    },
    removeFinished: 'Quitar todos los terminados ({count})',
    finishedHeading: '¿Quitar todos los mensajes terminados?',
    finishedLead: {
      one: '{count} mensaje sale de la lista. Ya nadie puede abrirlo: su texto ya está eliminado, y ahora se elimina el resto.',
      many: '{count} de mensajes salen de la lista. Ya nadie puede abrirlos: sus textos ya están eliminados, y ahora se elimina el resto.',
      other:
        '{count} mensajes salen de la lista. Ya nadie puede abrirlos: sus textos ya están eliminados, y ahora se elimina el resto.',
    },
    remove: 'Quitar',
    removed: { one: '{count} quitado', many: '{count} quitados', other: '{count} quitados' },
  },
  done: {
    noneSelected: 'No hay nada seleccionado. Marque las casillas de lo que quiera eliminar.',
    folderCreated: 'La carpeta está lista.',
    folderRenamed: 'La carpeta tiene su nuevo título.',
    folderDeleted: 'La carpeta se ha eliminado.',
  },
}
