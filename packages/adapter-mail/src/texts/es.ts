import type { MailTexts } from './texts.ts'

export const es: MailTexts = {
  locale: 'es',
  direction: 'ltr',
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
    lead: 'Nadie lo abrió a tiempo. Su texto se ha eliminado y el enlace ya no funciona.',
  },
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
  welcome: {
    once: 'El enlace funciona una sola vez. Quien lo tenga puede elegir la contraseña, así que no lo comparta.',
    validUntil: 'Válido hasta el',
  },
  invite: {
    subject: 'Su cuenta en {name}',
    heading: 'Le damos la bienvenida',
    lead: 'Hay una cuenta para usted en {name}. Para usarla, elija una contraseña.',
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
  test: { heading: 'Correo de prueba', lead: 'Esto es una prueba: los correos de {name} llegan aquí.' },
}
