import type { NotificationsTexts } from '../en/notifications.ts'

export const notifications: NotificationsTexts = {
  heading: 'Notificaciones',
  lead: 'Sobre cada mensaje con «Avisarme cuando se abra»: cuando se abre, cuando lo bloquean contraseñas incorrectas y cuando caduca sin abrirse.',
  tooManyTests:
    'No se ha enviado ninguna prueba, porque ya ha habido demasiadas. Podrá enviar la siguiente {when}.',
  mails: {
    heading: 'Correos',
    lead: 'Se envían a {email} y nunca contienen el texto, el enlace ni la contraseña de un mensaje.',
    enabled: 'Enviar correos cuando un mensaje se abra, se bloquee o caduque sin abrirse',
    nameLabels: 'Nombrar en ellos el título del mensaje',
    save: 'Guardar',
    test: 'Enviar un correo de prueba',
    testFailed: 'No se ha podido enviar el correo de prueba: {reason}.',
    unavailable:
      'Este servicio no envía correos: quien lo administra no ha configurado un servidor de correo.',
    noEmail: 'Su cuenta no tiene dirección de correo, así que no recibe correos.',
  },
  done: {
    mailsSaved: 'Su elección se ha guardado.',
    mailTested: 'El servidor de correo ha aceptado el correo de prueba. Debería llegarle en breve.',
  },
}
