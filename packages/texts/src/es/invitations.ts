import type { InvitationsTexts } from '../en/invitations.ts'

export const invitations: InvitationsTexts = {
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
  done: {
    invitation: 'Su contraseña se ha guardado y su sesión está iniciada.',
    invitationWithoutWebhooks:
      'Su contraseña se ha guardado y su sesión está iniciada. Los webhooks que tenía la cuenta se han eliminado; puede volver a añadirlos en los ajustes.',
  },
}
