import type { AccountsTexts } from '../en/accounts.ts'

export const accounts: AccountsTexts = {
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
  yourName: { field: 'Su nombre', hint: 'Lo ve quien recibe un enlace de usted.' },
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
      lead: 'Todo lo que pertenece a su cuenta, en formato JSON: con los textos de sus borradores, salvo si tienen contraseña o se cifraron en el navegador, pero nunca los de los mensajes.',
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
  done: {
    emailAsked:
      'Un correo está en camino a la nueva dirección. Su dirección cambia cuando usted abra el enlace que contiene, en un plazo de 24 horas.',
    nameSaved: 'El nombre visible se ha guardado.',
    nameErased: 'El nombre visible se ha eliminado.',
    languageSaved: 'El idioma se ha guardado.',
  },
}
