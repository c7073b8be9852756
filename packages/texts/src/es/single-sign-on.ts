import type { SsoTexts } from '../en/single-sign-on.ts'

export const singleSignOn: SsoTexts = {
  signInWith: 'Iniciar sesión con {provider}',
  insteadOfPassword: 'Usar {provider} en lugar de una contraseña',
  connect: 'Vincular {provider}',
  disconnect: 'Desvincular',
  proofHint:
    'Inició sesión hace más de 10 minutos, por lo que {provider} le pide primero que vuelva a iniciar sesión.',
  heading: 'Acceso',
  lead: 'Las identidades con las que inicia sesión. Si {provider} ya no le deja entrar, sus sesiones se cierran. Sus tokens de acceso funcionan hasta que los elimine.',
  none: { heading: 'No hay nada vinculado', lead: 'Vincule {provider} para iniciar sesión con él.' },
  held: 'En esta cuenta se inicia sesión con su proveedor de identidad. Una contraseña o una llave de acceso confirma aquí quién es usted, pero no inicia la sesión.',
  connectedAt: 'Vinculada {time}',
  refusedAt: 'ya no se permite desde {time}',
  disconnectHeading: '¿Desvincular esta identidad?',
  disconnectLead:
    'Ya no podrá iniciar sesión con ella, y las demás sesiones que empezaron con ella se cierran.',
  done: {
    identityConnected: 'La identidad está vinculada: desde ahora puede iniciar sesión con ella.',
    identityDisconnected: 'La identidad está desvinculada.',
    invitationWithIdentity: 'Su cuenta está vinculada y ha iniciado sesión.',
    invitationWithIdentityWithoutWebhooks:
      'Su cuenta está vinculada y ha iniciado sesión. Los webhooks que tenía la cuenta se han eliminado; puede volver a añadirlos en los ajustes.',
  },
  proven: {
    heading: 'Ha vuelto a iniciar sesión',
    lead: 'Todavía no se ha cambiado nada. Envíe el formulario otra vez.',
  },
  notices: {
    unreachable: {
      heading: '{provider} no responde',
      lead: 'No se ha cambiado nada. Vuelva a intentarlo dentro de un minuto o inicie sesión de otra forma.',
    },
    refusedUs: {
      heading: '{provider} no ha aceptado este servicio',
      lead: 'No se ha cambiado nada. {provider} responde, pero ha rechazado la petición de este servicio. Volver a intentarlo no sirve de nada: avise a quien administra este servicio o inicie sesión de otra forma.',
    },
    gaveUp: {
      heading: 'No ha iniciado sesión',
      lead: '{provider} no ha iniciado su sesión, o usted la ha cancelado. Puede volver a intentarlo.',
    },
    doesNotFit: {
      heading: 'No ha funcionado',
      lead: 'Lo que {provider} ha devuelto no corresponde a lo que se empezó en este navegador, o ha tardado más de 10 minutos. No se ha cambiado nada. Empiece de nuevo.',
    },
    unknown: {
      heading: 'No hay ninguna cuenta vinculada',
      lead: '{provider} le conoce, pero aquí ninguna cuenta está vinculada con esa identidad. Si tiene una cuenta, inicie sesión en ella y vincule {provider} en los ajustes. Si no, pida una invitación a quien administra el servicio.',
    },
    unverified: {
      heading: 'Su dirección de correo no está confirmada',
      lead: '{provider} no dice que su dirección de correo esté confirmada, por lo que no se ha creado ninguna cuenta. Pida una invitación a quien administra el servicio.',
    },
    not_allowed: {
      heading: 'No puede iniciar sesión aquí',
      lead: '{provider} le conoce, pero este servicio no está abierto para usted, o ya no lo está. Consulte a quien administra el servicio.',
    },
    address_taken: {
      heading: 'Una cuenta tiene esta dirección de correo',
      lead: 'Las cuentas nunca se vinculan por su dirección. Inicie sesión en la cuenta de otra forma y vincule {provider} en los ajustes.',
    },
    account_disabled: {
      heading: 'Esta cuenta está desactivada',
      lead: 'Consulte a quien administra este servicio.',
    },
    identity_taken: {
      heading: 'Esta identidad ya está vinculada',
      lead: 'Pertenece a otra cuenta. Desvincúlela primero allí o elija otra identidad en {provider}.',
    },
    identity_limit_reached: {
      heading: 'La cuenta tiene cinco identidades',
      lead: 'Es el máximo. Desvincule una antes de vincular otra.',
    },
    last_way_in: {
      heading: 'Ya no podría iniciar sesión',
      lead: 'Es la única forma de entrar en su cuenta. Vincule primero otra identidad o pida un enlace de un solo uso a quien administra el servicio.',
    },
    sign_in_held: {
      heading: 'No ha iniciado sesión',
      lead: 'En esta cuenta solo se inicia sesión con su proveedor de identidad. Si no puede hacerlo allí, consulte a quien administra el servicio.',
    },
    password_sign_in_off: {
      heading: 'Aquí nadie inicia sesión con una contraseña',
      lead: 'Inicie sesión con {provider}. Si no es posible, quien administra el servicio puede darle un enlace de un solo uso.',
    },
  },
}
