import type { MailTexts } from '../en/mails.ts'
import { requestMails } from './requests.ts'

export const mails: MailTexts = {
  opened: {
    heading: {
      one: 'Su mensaje se ha abierto',
      many: 'Su mensaje se ha abierto {count} de veces',
      other: 'Su mensaje se ha abierto {count} veces',
    },
    usedUp: 'Se abrió por última vez, y con ello se eliminó su texto. El enlace ya no funciona.',
  },
  locked: {
    heading: 'Su mensaje está bloqueado',
    lead: 'En su enlace se han introducido demasiadas contraseñas incorrectas. La página del mensaje muestra hasta cuándo está bloqueado o si está desactivado.',
  },
  expired: {
    heading: 'Su mensaje ha caducado sin abrirse',
    lead: 'Nadie lo abrió a tiempo. Su contenido se ha eliminado y el enlace ya no funciona.',
  },
  requests: requestMails,
  facts: {
    label: 'Título',
    time: 'Fecha y hora',
    latest: 'Última apertura',
    expired: 'Caducó el',
    opens: 'Aperturas hasta ahora',
    opensLeft: 'Aperturas restantes',
    unlimited: 'Sin límite',
    expires: 'Caduca el',
    page: 'Su página era',
  },
  seeSecret: 'Ver el mensaje',
  why: 'Recibe este correo porque ha elegido «Avisarme cuando se abra» para el mensaje.',
  settings: 'En los ajustes puede elegir qué correos recibe: {url}',
  invitation: {
    once: 'El enlace funciona una sola vez. Quien lo tenga puede elegir la contraseña, así que no lo comparta.',
    validUntil: 'Válido hasta el',
  },
  invite: {
    subject: 'Una invitación de {name}',
    heading: 'Tiene una invitación',
    lead: '{name} le invita a {host}. Allí puede entregar contraseñas y otros textos confidenciales con enlaces que funcionan solo tantas veces y tanto tiempo como usted elija. Hay una cuenta para usted: para usarla, elija una contraseña.',
    action: 'Elegir una contraseña',
    ignore: 'Si no esperaba este correo, no haga nada.',
  },
  reset: {
    subject: 'Una contraseña nueva en {name}',
    heading: 'Elija una contraseña nueva',
    lead: 'Alguien ha pedido una contraseña nueva para su cuenta en {name}.',
    action: 'Elegir una contraseña nueva',
    ignore: 'Si no ha pedido este correo, no haga nada.',
  },
  confirm: {
    subject: 'Confirme su dirección de correo en {name}',
    heading: 'Confirme su nueva dirección de correo',
    lead: 'El titular de una cuenta en {name} quiere usar esta dirección de correo a partir de ahora. El cambio se hace efectivo cuando usted la confirma.',
    action: 'Confirmar la dirección',
    ignore: 'Si no ha pedido este correo, no haga nada: así no cambia nada.',
  },
  notices: {
    password_changed: {
      subject: 'Su contraseña en {name} se ha cambiado',
      heading: 'Su contraseña se ha cambiado',
      lead: 'Su cuenta en {name} tiene una contraseña nueva, y sus demás sesiones se han cerrado.',
      next: 'Si no ha sido usted, elija ahora una contraseña nueva y avise a quien administra el servicio.',
    },
    email_changed: {
      subject: 'Su dirección de correo en {name} se ha cambiado',
      heading: 'Su dirección de correo se ha cambiado',
      lead: 'Su cuenta en {name} tiene ahora otra dirección de correo, con la que inicia sesión. A esta dirección ya no llegan correos sobre la cuenta.',
      next: 'Si no ha sido usted, avise de inmediato a quien administra el servicio: nadie más puede devolverle la cuenta.',
    },
    mails_off: {
      subject: 'Los correos de {name} están desactivados',
      heading: 'Los correos sobre sus mensajes están desactivados',
      lead: 'En los ajustes de su cuenta en {name} se han desactivado los correos sobre sus mensajes. Este es el último.',
      next: 'Si no ha sido usted, cambie su contraseña y vuelva a activarlos.',
    },
    email_taken: {
      subject: 'Su dirección de correo en {name}',
      heading: 'Esta dirección ya tiene una cuenta',
      lead: 'Alguien quiere usar esta dirección de correo para otra cuenta en {name}. Pertenece a su cuenta, así que no ha cambiado nada.',
      next: 'Si ha sido usted, inicie sesión con esta dirección para usar la cuenta a la que pertenece. Si no, no tiene que hacer nada.',
    },
  },
  test: { heading: 'Correo de prueba', lead: 'Esto es una prueba: los correos de {name} llegan aquí.' },
}
