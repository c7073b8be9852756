import type { LinkTexts } from '../en/link.ts'
import { requestPage } from './requests.ts'

export const link: LinkTexts = {
  ready: {
    heading: 'Tiene un mensaje confidencial',
    lead: 'Todavía está sellado.',
    from: 'De {name}. Todavía está sellado.',
    readers: 'Cualquiera que tenga este enlace puede leer el mensaje. No lo comparta con nadie.',
    readersWithPassword: 'Solo se abre con este enlace y la contraseña a la vez.',
    operator: 'Quien controle el servidor puede leerlo cuando se abre.',
    once: 'Solo se puede abrir {once}. Ábralo cuando pueda guardar una copia.',
    onceWord: 'una vez',
    more: {
      one: 'Se puede abrir {count} vez más.',
      many: 'Se puede abrir {count} de veces más.',
      other: 'Se puede abrir {count} veces más.',
    },
    until: 'Se elimina el {time} ({when}).',
    open: 'Abrir el mensaje',
    opening: 'Abriendo…',
  },
  again: {
    heading: 'Ya ha abierto este mensaje',
    lead: 'Abrirlo otra vez cuenta como una apertura más, y es posible que su número esté limitado.',
    open: 'Abrirlo otra vez',
  },
  password: {
    label: 'Contraseña',
    hint: 'Si no la tiene, pídala a quien le envió el enlace. No escriba nunca aquí la contraseña de su correo ni de otra cuenta.',
    show: 'Mostrar la contraseña',
    missing: 'Escriba la contraseña, por favor.',
    wrong: 'Esta contraseña no es correcta.',
    wrongAdvice:
      'Las mayúsculas y los espacios cuentan. Si tiene dudas, pregunte a quien le envió el enlace: tras varios intentos fallidos queda bloqueado un tiempo.',
  },
  opened: {
    title: 'Mensaje confidencial',
    from: 'De {name}',
    copy: 'Copiar',
    copied: 'Copiado',
    copyFailed: 'No se ha podido copiar. Seleccione el texto y cópielo usted mismo, por favor.',
    save: 'Guardar como archivo',
    select: 'Haga clic en el texto para seleccionarlo entero y cópielo.',
    last: 'Ya se ha eliminado de aquí. Cópielo antes de cerrar la página.',
    left: {
      one: 'Se puede abrir {count} vez más, hasta el {time}.',
      many: 'Se puede abrir {count} de veces más, hasta el {time}.',
      other: 'Se puede abrir {count} veces más, hasta el {time}.',
    },
    unlimited: 'Puede volver a abrirlo hasta el {time}.',
  },
  files: {
    attached: {
      one: 'Lleva {count} archivo:',
      many: 'Lleva {count} de archivos:',
      other: 'Lleva {count} archivos:',
    },
    heading: 'Archivos',
    save: 'Guardar',
    until: 'Puede guardar cada archivo hasta las {time} ({when}), tantas veces como necesite.',
    over: 'Los archivos ya no se pueden guardar desde aquí.',
    unchecked: 'Nadie ha comprobado estos archivos. Abra solo lo que esperaba recibir.',
    last: 'Ya se ha eliminado de aquí. Cópielo y guarde los archivos antes de cerrar la página.',
  },
  gone: {
    heading: 'Aquí no hay ningún mensaje que abrir',
    lead: 'Puede que el enlace haya caducado, que ya se haya abierto tantas veces como estaba permitido o que no se haya copiado completo.',
    advice: 'Pida uno nuevo a la persona que se lo envió.',
    help: 'Si necesita ayuda: {contact}.',
  },
  sealed: {
    readers: 'Cifrado en el navegador del remitente. Este servidor no puede leerlo.',
    incomplete:
      'Este enlace está incompleto. Falta la parte que sigue a #. Pida el enlace completo. No se ha abierto nada.',
    insecure: 'Abra este enlace con https.',
    noScript: 'Este mensaje necesita JavaScript, o el comando: {command}',
    undecryptable: 'No se ha podido descifrar el texto',
    advice: 'Se ha modificado, o se cifró con otra clave. Guárdelo tal como está y avise al remitente.',
    saving: 'Guardando…',
    fileUndecryptable: 'No se ha podido descifrar el archivo. No se ha guardado nada.',
    fileFailed: 'No se ha podido obtener el archivo. Inténtelo de nuevo.',
  },
  keyWrong: {
    heading: 'La clave de este enlace falta o no es correcta',
    lead: 'No se ha abierto nada. Pida al remitente el enlace completo, con todo lo que sigue a #.',
  },
  locked: {
    heading: 'Este enlace está bloqueado por ahora',
    lead: 'Ha habido demasiadas contraseñas incorrectas. Podrá volver a intentarlo a las {time} ({when}).',
    advice:
      'El mensaje sigue aquí. Mientras tanto, puede pedir la contraseña correcta a quien le envió el enlace.',
  },
  crowded: {
    heading: 'Un momento, por favor',
    lead: 'Hay varios intentos simultáneos de abrir este enlace. Vuelva a intentarlo dentro de unos segundos.',
  },
  busy: {
    heading: 'El servidor está ocupado',
    lead: 'No se ha abierto nada ni se ha contado ninguna apertura. Vuelva a intentarlo dentro de unos segundos.',
  },
  unwritable: {
    heading: 'El servidor no puede guardar nada en este momento',
    lead: 'No se ha abierto ni consumido nada. Inténtelo de nuevo más tarde.',
  },
  uncertain: {
    heading: 'La conexión se cortó mientras se abría el mensaje',
    lead: 'Es posible que se haya contado una apertura, y no se ha mostrado nada. Vuelva a la página del enlace e inténtelo de nuevo. Si el mensaje ya no está, pida un enlace nuevo a quien se lo envió.',
  },
  failed: {
    heading: 'Algo ha fallado por nuestra parte',
    lead: 'No ha sido culpa suya. Vuelva a intentarlo más tarde y, si ocurre de nuevo, avise a quien le envió el enlace.',
  },
  refused: {
    heading: 'Esta solicitud no se ha aceptado',
    lead: 'No venía de la página de este enlace, así que no se ha abierto nada. Empiece en esa página, por favor.',
  },
  unreadable: {
    heading: 'No se ha podido leer la solicitud',
    lead: 'No se ha abierto nada. Empiece de nuevo en la página del enlace, por favor.',
  },
  request: requestPage,
  retry: 'Volver a intentarlo',
  restart: 'Ir a la página del enlace',
  unknown: {
    heading: 'Aquí no hay ninguna página',
    lead: 'Puede que la dirección no se haya copiado completa.',
  },
  language: 'Idioma',
  about: 'Sin cuenta y sin instalar nada.',
}
