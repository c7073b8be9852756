import type { SsoTexts } from '../en/single-sign-on.ts'

export const singleSignOn: SsoTexts = {
  signInWith: 'Mit {provider} anmelden',
  insteadOfPassword: '{provider} statt eines Passworts benutzen',
  connect: '{provider} verbinden',
  disconnect: 'Trennen',
  proofHint:
    'Ihre Anmeldung ist mehr als 10 Minuten her, deshalb bittet {provider} Sie zuerst, sich noch einmal anzumelden.',
  heading: 'Anmeldung',
  lead: 'Die Identitäten, mit denen Sie sich anmelden. Wenn {provider} Sie nicht mehr hereinlässt, enden Ihre Sitzungen. Ihre Zugriffstokens funktionieren, bis Sie sie löschen.',
  none: { heading: 'Nichts ist verbunden', lead: 'Verbinden Sie {provider}, um sich damit anzumelden.' },
  held: 'Dieses Konto meldet sich bei seinem Identitätsanbieter an. Ein Passwort oder ein Passkey bestätigt hier, wer Sie sind, meldet Sie aber nicht an.',
  connectedAt: 'Verbunden {time}',
  refusedAt: 'nicht mehr zugelassen seit {time}',
  disconnectHeading: 'Diese Identität trennen?',
  disconnectLead:
    'Sie können sich dann nicht mehr damit anmelden, und die anderen Sitzungen, die damit begonnen haben, enden.',
  done: {
    identityConnected: 'Die Identität ist verbunden: Sie können sich ab jetzt damit anmelden.',
    identityDisconnected: 'Die Identität ist getrennt.',
    invitationWithIdentity: 'Ihr Konto ist verbunden, und Sie sind angemeldet.',
    invitationWithIdentityWithoutWebhooks:
      'Ihr Konto ist verbunden, und Sie sind angemeldet. Die Webhooks, die das Konto hatte, sind gelöscht. Sie können sie in den Einstellungen wieder hinzufügen.',
  },
  proven: {
    heading: 'Sie haben sich noch einmal angemeldet',
    lead: 'Bis jetzt wurde nichts geändert. Schicken Sie das Formular noch einmal ab.',
  },
  notices: {
    unreachable: {
      heading: '{provider} antwortet nicht',
      lead: 'Es wurde nichts geändert. Bitte versuchen Sie es in einer Minute noch einmal, oder melden Sie sich auf andere Weise an.',
    },
    refusedUs: {
      heading: '{provider} hat diesen Dienst nicht akzeptiert',
      lead: 'Es wurde nichts geändert. {provider} antwortet, hat aber abgelehnt, was dieser Dienst angefragt hat. Ein neuer Versuch hilft nicht: Wenden Sie sich an den Betreiber dieses Dienstes, oder melden Sie sich auf andere Weise an.',
    },
    gaveUp: {
      heading: 'Sie sind nicht angemeldet',
      lead: '{provider} hat Sie nicht angemeldet, oder Sie haben abgebrochen. Sie können es noch einmal versuchen.',
    },
    doesNotFit: {
      heading: 'Das hat nicht funktioniert',
      lead: 'Was {provider} zurückgeschickt hat, gehört nicht zu dem, was in diesem Browser begonnen wurde, oder es hat mehr als 10 Minuten gedauert. Es wurde nichts geändert. Bitte beginnen Sie noch einmal.',
    },
    unknown: {
      heading: 'Kein Konto ist verbunden',
      lead: '{provider} kennt Sie, aber hier ist kein Konto mit dieser Identität verbunden. Wenn Sie ein Konto haben, melden Sie sich darin an und verbinden Sie {provider} in den Einstellungen. Sonst bitten Sie den Betreiber um eine Einladung.',
    },
    unverified: {
      heading: 'Ihre E-Mail-Adresse ist nicht bestätigt',
      lead: '{provider} sagt nicht, dass Ihre E-Mail-Adresse bestätigt ist, deshalb wurde kein Konto angelegt. Bitten Sie den Betreiber um eine Einladung.',
    },
    not_allowed: {
      heading: 'Sie dürfen sich hier nicht anmelden',
      lead: '{provider} kennt Sie, aber dieser Dienst steht Ihnen nicht offen, oder nicht mehr. Fragen Sie den Betreiber.',
    },
    address_taken: {
      heading: 'Ein Konto hat diese E-Mail-Adresse',
      lead: 'Konten werden nie über ihre Adresse verbunden. Melden Sie sich auf andere Weise in dem Konto an, und verbinden Sie {provider} in den Einstellungen.',
    },
    account_disabled: {
      heading: 'Dieses Konto ist gesperrt',
      lead: 'Fragen Sie den Betreiber dieses Dienstes.',
    },
    identity_taken: {
      heading: 'Diese Identität ist schon verbunden',
      lead: 'Sie gehört zu einem anderen Konto. Trennen Sie sie zuerst dort, oder wählen Sie bei {provider} eine andere.',
    },
    identity_limit_reached: {
      heading: 'Das Konto hat fünf Identitäten',
      lead: 'Mehr sind nicht möglich. Trennen Sie eine, bevor Sie eine andere verbinden.',
    },
    last_way_in: {
      heading: 'Sie könnten sich nicht mehr anmelden',
      lead: 'Das ist der einzige Weg in Ihr Konto. Verbinden Sie zuerst eine andere Identität, oder bitten Sie den Betreiber um einen einmaligen Link.',
    },
    sign_in_held: {
      heading: 'Sie sind nicht angemeldet',
      lead: 'Dieses Konto meldet sich nur bei seinem Identitätsanbieter an. Fragen Sie den Betreiber, wenn Sie sich dort nicht anmelden können.',
    },
    password_sign_in_off: {
      heading: 'Hier meldet sich niemand mit einem Passwort an',
      lead: 'Melden Sie sich mit {provider} an. Wenn das nicht geht, kann der Betreiber Ihnen einen einmaligen Link geben.',
    },
  },
}
