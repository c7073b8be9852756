import type { AccountTexts } from '../en/account.ts'

export const account: AccountTexts = {
  signIn: {
    heading: 'Iniciar sesión',
    email: 'Correo electrónico',
    password: 'Contraseña',
    submit: 'Iniciar sesión',
    wrong: 'El correo y la contraseña no corresponden a ninguna cuenta. Revise ambos y vuelva a intentarlo.',
    locked: 'Ha habido demasiados intentos fallidos. Podrá volver a intentarlo {when}.',
    crowded: 'Todavía se están comprobando otros intentos. Vuelva a intentarlo dentro de un segundo.',
    forgot: '¿Aún no tiene contraseña o la ha olvidado?',
    resetAsked:
      'Si hay una cuenta con esta dirección de correo, un correo con un enlace de un solo uso está en camino. El enlace funciona durante una hora.',
    signedOut: 'Se ha cerrado la sesión.',
    accountDeleted: 'Su cuenta se ha eliminado, con todo lo que contenía.',
    toContinue: 'Inicie sesión para ver esa página.',
    api: 'Esta dirección forma parte de la API, que los programas usan con un token de acceso. Inicie sesión para crear uno.',
  },
  invitation: {
    inviteHeading: 'Le damos la bienvenida',
    resetHeading: 'Elija una contraseña nueva',
    invited:
      '{name} le invita a entregar contraseñas y otros textos confidenciales con enlaces que funcionan solo tantas veces y tanto tiempo como usted elija.',
    forAccount: 'Elija una contraseña para {email}.',
    passwordHint: {
      one: 'Al menos {count} carácter. Unas cuantas palabras seguidas son fáciles de recordar.',
      many: 'Al menos {count} de caracteres. Unas cuantas palabras seguidas son fáciles de recordar.',
      other: 'Al menos {count} caracteres. Unas cuantas palabras seguidas son fáciles de recordar.',
    },
    passwordWord: 'No incluya la palabra «{word}», que forma parte de su dirección de correo.',
    submit: 'Guardar e iniciar sesión',
    endsSessions: 'Una contraseña nueva cierra todas las demás sesiones de su cuenta.',
    removesWebhooks:
      'Al guardar la contraseña se eliminan estos webhooks de la cuenta, porque otra persona pudo haberlos añadido. Puede volver a añadirlos en los ajustes.',
    gone: {
      heading: 'Este enlace no se puede usar',
      lead: 'Ya se ha usado, ha caducado o se ha sustituido por uno más reciente. Quien administra este servicio puede enviarle otro.',
    },
  },
  reset: {
    lead: 'Escriba la dirección de correo de su cuenta. Recibirá un correo con un enlace de un solo uso para elegir una contraseña nueva. Si ha recibido una invitación, use su enlace.',
    submit: 'Enviar el enlace',
    tooMany: 'Se han pedido demasiados correos. Podrá pedir otro {when}.',
    operator:
      'Este servicio no puede enviarle un enlace por correo. Quien lo administra puede darle un enlace de un solo uso para elegir una contraseña nueva.',
    contact: 'Contacto: {contact}',
  },
  confirm: {
    heading: 'Confirme su dirección de correo',
    lead: 'Su cuenta pasa a tener la dirección de correo {email}. A partir de entonces, inicie sesión con ella.',
    submit: 'Confirmar la dirección',
    done: {
      heading: 'Su dirección de correo se ha cambiado',
      lead: 'A partir de ahora, inicie sesión con la nueva.',
    },
    gone: {
      heading: 'Este enlace no se puede usar',
      lead: 'Ya se ha usado, ha caducado o se ha sustituido por uno más reciente, u otra cuenta tiene ahora esa dirección. No se ha cambiado nada.',
    },
  },
  settings: {
    heading: 'Ajustes',
    account: 'Cuenta',
    reauthenticationHint: 'Se pide de nuevo porque inició sesión hace más de 10 minutos.',
    email: {
      heading: 'Dirección de correo',
      change: 'Cambiar el correo',
      hint: 'Con ella inicia sesión. Una dirección nueva debe confirmarse: recibirá allí un correo con un enlace.',
      operator:
        'Inicia sesión con {email}. Este servicio no envía correos, así que solo quien lo administra puede cambiar la dirección.',
      notSent:
        'No se ha podido enviar ningún correo a esta dirección. Revísela o vuelva a intentarlo más tarde.',
    },
    password: {
      current: 'Contraseña actual',
      field: 'Contraseña nueva',
      change: 'Cambiar la contraseña',
    },
    displayName: {
      heading: 'Nombre visible',
      hint: 'Opcional. Los destinatarios lo ven encima de sus mensajes: «De …». Deje el campo vacío para no mostrar ningún nombre.',
      save: 'Guardar el nombre',
    },
    language: {
      heading: 'Idioma',
      field: 'Idioma de sus páginas',
      browser: 'El del navegador',
      save: 'Guardar el idioma',
    },
    download: {
      heading: 'Sus datos',
      lead: 'Todo lo que pertenece a su cuenta, en formato JSON: con los textos de sus borradores, salvo si tienen contraseña, pero nunca los de los mensajes.',
      button: 'Descargar',
    },
    deletion: {
      heading: 'Eliminar la cuenta',
      lead: 'Elimina su cuenta con todas las carpetas, borradores, mensajes y tokens de acceso. Todos los enlaces dejan de funcionar.',
      question: '¿Eliminar su cuenta?',
      questionLead:
        'Se eliminan todas sus carpetas, borradores y mensajes, y sus enlaces dejan de funcionar. Esta acción no se puede deshacer.',
    },
  },
  accessTokens: {
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
    done: 'Listo',
  },
  sessions: {
    heading: 'Sesiones',
    lead: 'Los navegadores en los que ha iniciado sesión. Una sesión se cierra sola tras 12 horas sin uso y a los 14 días. Un nombre ayuda a distinguirlas.',
    thisOne: 'Esta sesión',
    other: 'Otra sesión',
    startedAt: 'Iniciada el {time}',
    end: 'Cerrar la sesión',
    rename: 'Nombrar la sesión',
  },
  done: {
    invitation: 'Su contraseña se ha guardado y su sesión está iniciada.',
    invitationWithoutWebhooks:
      'Su contraseña se ha guardado y su sesión está iniciada. Los webhooks que tenía la cuenta se han eliminado; puede volver a añadirlos en los ajustes.',
    passwordChanged: 'Su contraseña se ha cambiado y todas las demás sesiones se han cerrado.',
    emailAsked:
      'Un correo está en camino a la nueva dirección. Su dirección cambia cuando usted abra el enlace que contiene, en un plazo de 24 horas.',
    nameSaved: 'El nombre visible se ha guardado.',
    nameErased: 'El nombre visible se ha eliminado.',
    languageSaved: 'El idioma se ha guardado.',
    tokenRevoked: 'El token de acceso se ha eliminado.',
    sessionNamed: 'El nombre de la sesión se ha guardado.',
    sessionEnded: 'La sesión se ha cerrado.',
  },
}
