import type { PasswordsTexts } from '../en/passwords.ts'

export const passwords: PasswordsTexts = {
  lead: 'Escriba la dirección de correo de su cuenta. Recibirá un correo con un enlace de un solo uso para elegir una contraseña nueva. Si ha recibido una invitación, use su enlace.',
  submit: 'Enviar el enlace',
  tooMany: 'Se han pedido demasiados correos. Podrá pedir otro {when}.',
  operator:
    'Este servicio no puede enviarle un enlace por correo. Quien lo administra puede darle un enlace de un solo uso para elegir una contraseña nueva.',
  contact: 'Contacto: {contact}',
  done: {
    passwordChanged: 'Su contraseña se ha cambiado y todas las demás sesiones se han cerrado.',
  },
}
