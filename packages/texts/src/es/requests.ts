import type { RequestMailTexts, RequestPageTexts, RequestsTexts } from '../en/requests.ts'

export const requests: RequestsTexts = {
  heading: 'Solicitudes',
  newRequest: 'Nueva solicitud',
  lead: 'Pida un texto a alguien: no necesita cuenta. Lo que entregue será uno de sus borradores.',
  none: {
    heading: 'No hay solicitudes',
    lead: 'Una solicitud recibe un enlace, que usted envía a la persona a quien se lo pide.',
  },
  more: 'Más solicitudes',
  title: 'Solicitud',
  titleHint: 'Lo ve quien tiene el enlace. Los borradores lo reciben como título.',
  text: 'Qué enviar',
  textHint: 'Por ejemplo qué contraseña, y dónde está. Puede leerlo quien tiene el enlace.',
  answers: 'Respuestas permitidas',
  closes: 'Se cierra después de',
  notify: 'Avisarme cuando se responda',
  takesFiles: 'Se pueden adjuntar archivos',
  create: 'Crear solicitud',
  created: 'La solicitud está lista. Envíe este enlace a la persona a quien se lo pide.',
  answered: 'Respuestas: {count} de {allowed}',
  open: 'Abierta hasta {time}',
  closed: 'Cerrada',
  answersHeading: 'Respuestas',
  newAnswers: 'Respuestas nuevas',
  noAnswers: 'Aquí no espera ninguna respuesta.',
  answerTo: 'Respuesta a {title}',
  isNew: 'Nueva',
  copy: 'Copiar',
  save: 'Guardar como archivo',
  edit: 'Editar',
  copyFailed:
    'No se ha podido copiar. Abra la respuesta, seleccione el texto y cópielo usted mismo, por favor.',
  close: 'Cerrar',
  closeHint:
    'El enlace deja de funcionar de inmediato. Las respuestas entregadas quedan entre sus borradores.',
  inFolder: { one: '{count} solicitud', many: '{count} de solicitudes', other: '{count} solicitudes' },
  sealed: {
    box: 'Cifrar las respuestas',
    hint: 'Se cifran en el navegador de quien responde. Solo la clave que crea este navegador las descifra: este servidor no puede leerlas. Puede leer el título y la pregunta.',
    heading: 'Clave de esta solicitud',
    keyNow:
      'Guarde esta clave también en otro lugar. Solo se muestra ahora, y sin ella nadie puede leer las respuestas.',
    copyKey: 'Copiar la clave',
    copyKeyFailed: 'No se ha podido copiar: seleccione la clave y cópiela.',
    onDevice: 'La clave está en este navegador. Con ella se muestra el enlace y se descifran las respuestas.',
    forget: 'Olvidar en este dispositivo',
    missing:
      'La clave de esta solicitud no está en este dispositivo. Sin ella no se puede mostrar el enlace ni descifrar ninguna respuesta.',
    field: 'Clave',
    use: 'Usar esta clave',
    wrong: 'Esta no es la clave de esta solicitud.',
    insecure: 'Abra esta página con https.',
    noScript: 'Las respuestas cifradas necesitan JavaScript: se descifran en este navegador.',
    undecryptable: 'No se ha podido descifrar el texto',
    move: 'Mover',
    saveSealed: 'Guardar tal como está',
    saving: 'Guardando…',
    fileUndecryptable: 'No se ha podido descifrar el archivo. No se ha guardado nada.',
    fileFailed: 'No se ha podido obtener el archivo. Inténtelo de nuevo.',
  },
  done: {
    requestClosed: 'La solicitud está cerrada.',
    answerDeleted: 'La respuesta está eliminada.',
  },
}

export const requestPage: RequestPageTexts = {
  heading: 'Entregar un texto confidencial',
  from: '{name} le pide un texto confidencial',
  fromService: 'Alguien que usa {service} le pide un texto confidencial',
  unverified: 'La persona que lo pide eligió este nombre. Nadie lo ha verificado.',
  label: 'Su texto',
  readers: 'Puede leerlo la persona que lo pide y cualquiera que controle el servidor.',
  send: 'Enviar',
  sending: 'Enviando…',
  until: 'Puede responder hasta el {time} ({when}).',
  caution:
    'Responda solo si lo esperaba. En caso de duda, pregunte a la persona por otro medio antes de escribir nada.',
  missing: 'Escriba el texto.',
  tooLong: 'El texto es más largo de lo que acepta este servicio. Acórtelo.',
  notText: 'El texto tiene caracteres que no se pueden guardar.',
  notSealed:
    'El texto no se cifró en el navegador, o es más largo de lo que admite este servicio. No se ha entregado nada.',
  tooMany: 'Llegaron demasiadas respuestas desde su red. Su texto sigue aquí: envíelo de nuevo {when}.',
  busy: 'El servidor está ocupado y no se entregó nada. Su texto sigue aquí: envíelo de nuevo en unos segundos.',
  unwritable:
    'El servidor no puede escribir ahora y no se entregó nada. Su texto sigue aquí: envíelo de nuevo más tarde.',
  uncertain:
    'Se cortó la conexión. Es posible que su texto ya se haya entregado. Envíelo de nuevo: nunca se añade dos veces.',
  failed: 'Algo salió mal por nuestra parte y no se entregó nada. Su texto sigue aquí.',
  sealed: {
    readers: 'Se cifra en este navegador antes de enviarse. Este servidor no puede leerlo.',
    noScript: 'Este formulario necesita JavaScript, o el comando: {command}',
  },
  files: {
    label: 'Archivos',
    hint: 'Bastan los archivos: {count} como máximo, de hasta {each} cada uno.',
    missing: 'Escriba el texto o elija un archivo.',
    tooMany: 'Hay más de {count} archivos.',
    tooLarge: 'Un archivo supera {limit}.',
    noRoom: 'Ahora no hay espacio aquí para estos archivos. Envíe menos, más pequeños, o solo el texto.',
    wrongName:
      'El nombre de un archivo es demasiado largo o tiene caracteres no permitidos. Cambie el nombre del archivo.',
    broken: 'Los archivos no llegaron completos.',
    notTaken: 'Aquí ya no se pueden enviar archivos, y no se entregó nada. Su texto sigue aquí.',
    again: 'Elija los archivos de nuevo: ninguna página los devuelve.',
  },
  tooLarge: {
    heading: 'El texto es demasiado grande',
    lead: 'No se entregó nada. Vuelva atrás en el navegador, donde el texto debería seguir, y acórtelo.',
  },
  refused: {
    heading: 'Este texto no se aceptó',
    lead: 'No venía de la página de este enlace, así que no se entregó nada. Empiece en esa página.',
  },
  unreadable: {
    heading: 'No se pudo leer el envío',
    lead: 'No se entregó nada. Empiece de nuevo en la página del enlace.',
  },
  received: {
    heading: 'Su respuesta se recibió',
    lead: 'Se entregó el {time} y ya no se puede leer aquí.',
    advice: 'Puede cerrar esta página.',
  },
  gone: {
    heading: 'Aquí no hay nada que responder',
    lead: 'Quizá la solicitud ya se respondió, se cerró o caducó, o el enlace no se copió completo.',
    advice: 'Pida uno nuevo a la persona que se lo envió.',
  },
}

export const requestMails: RequestMailTexts = {
  answered: {
    heading: 'Su solicitud ha recibido una respuesta',
    lead: 'La respuesta es un borrador en la carpeta de la solicitud, con el mismo título.',
    full: 'Era la última respuesta que admite la solicitud. El enlace ya no funciona.',
  },
  unanswered: {
    heading: 'Su solicitud se ha cerrado sin respuesta',
    lead: 'Nadie respondió a tiempo. El enlace ya no funciona.',
  },
  facts: {
    answers: 'Respuestas hasta ahora',
    answersLeft: 'Respuestas restantes',
    closes: 'Se cierra el',
    closed: 'Se cerró el',
  },
  seeRequest: 'Ver la solicitud',
  whyRequest: 'Recibe este correo porque ha elegido «Avisarme cuando se responda» para la solicitud.',
}
