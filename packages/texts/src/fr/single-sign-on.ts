import type { SsoTexts } from '../en/single-sign-on.ts'

export const singleSignOn: SsoTexts = {
  signInWith: 'Se connecter avec {provider}',
  insteadOfPassword: 'Utiliser {provider} au lieu d’un mot de passe',
  connect: 'Associer {provider}',
  disconnect: 'Dissocier',
  proofHint:
    'Votre connexion date de plus de 10 minutes\u00a0: {provider} vous demande d’abord de vous connecter de nouveau.',
  heading: 'Accès au compte',
  lead: 'Les identités avec lesquelles vous vous connectez. Si {provider} ne vous laisse plus entrer, vos sessions se terminent. Vos jetons d’accès fonctionnent jusqu’à ce que vous les supprimiez.',
  none: { heading: 'Rien n’est associé', lead: 'Associez {provider} pour vous connecter avec.' },
  held: 'Ce compte se connecte auprès de son fournisseur d’identité. Un mot de passe ou une clé d’accès confirme ici qui vous êtes, mais n’ouvre pas de session.',
  connectedAt: 'Associée {time}',
  refusedAt: 'plus autorisée depuis {time}',
  disconnectHeading: 'Dissocier cette identité\u00a0?',
  disconnectLead:
    'Vous ne pourrez plus vous connecter avec elle, et les autres sessions commencées avec elle se terminent.',
  done: {
    identityConnected: 'L’identité est associée\u00a0: vous pouvez désormais vous connecter avec elle.',
    identityDisconnected: 'L’identité est dissociée.',
    invitationWithIdentity: 'Votre compte est associé, et votre session est ouverte.',
    invitationWithIdentityWithoutWebhooks:
      'Votre compte est associé, et votre session est ouverte. Les webhooks du compte ont été supprimés\u00a0; vous pouvez les ajouter de nouveau dans les paramètres.',
  },
  proven: {
    heading: 'Vous vous êtes connecté de nouveau',
    lead: 'Rien n’a encore été modifié. Envoyez le formulaire encore une fois.',
  },
  notices: {
    unreachable: {
      heading: '{provider} ne répond pas',
      lead: 'Rien n’a été modifié. Réessayez dans une minute, ou connectez-vous autrement.',
    },
    refusedUs: {
      heading: '{provider} n’a pas accepté ce service',
      lead: 'Rien n’a été modifié. {provider} répond, mais a refusé la demande de ce service. Réessayer ne sert à rien\u00a0: prévenez l’administrateur de ce service, ou connectez-vous autrement.',
    },
    gaveUp: {
      heading: 'Votre session n’est pas ouverte',
      lead: '{provider} ne vous a pas connecté, ou vous avez annulé. Vous pouvez réessayer.',
    },
    doesNotFit: {
      heading: 'Cela n’a pas fonctionné',
      lead: 'Ce que {provider} a renvoyé ne correspond pas à ce qui a été commencé dans ce navigateur, ou cela a duré plus de 10 minutes. Rien n’a été modifié. Veuillez recommencer.',
    },
    unknown: {
      heading: 'Aucun compte n’est associé',
      lead: '{provider} vous connaît, mais aucun compte n’est associé ici à cette identité. Si vous avez un compte, connectez-vous-y et associez {provider} dans les paramètres. Sinon, demandez une invitation à l’administrateur.',
    },
    unverified: {
      heading: 'Votre adresse e-mail n’est pas confirmée',
      lead: '{provider} ne dit pas que votre adresse e-mail est confirmée, aucun compte n’a donc été créé. Demandez une invitation à l’administrateur.',
    },
    not_allowed: {
      heading: 'Vous ne pouvez pas vous connecter ici',
      lead: '{provider} vous connaît, mais ce service ne vous est pas ouvert, ou ne l’est plus. Adressez-vous à l’administrateur.',
    },
    address_taken: {
      heading: 'Un compte a cette adresse e-mail',
      lead: 'Les comptes ne sont jamais associés par leur adresse. Connectez-vous au compte autrement, et associez {provider} dans les paramètres.',
    },
    account_disabled: {
      heading: 'Ce compte est désactivé',
      lead: 'Adressez-vous à l’administrateur de ce service.',
    },
    identity_taken: {
      heading: 'Cette identité est déjà associée',
      lead: 'Elle appartient à un autre compte. Dissociez-la d’abord de celui-ci, ou choisissez une autre identité chez {provider}.',
    },
    identity_limit_reached: {
      heading: 'Le compte a cinq identités',
      lead: 'C’est le maximum. Dissociez-en une avant d’en associer une autre.',
    },
    last_way_in: {
      heading: 'Vous ne pourriez plus vous connecter',
      lead: 'C’est le seul accès à votre compte. Associez d’abord une autre identité, ou demandez un lien à usage unique à l’administrateur.',
    },
    sign_in_held: {
      heading: 'Votre session n’est pas ouverte',
      lead: 'Ce compte se connecte uniquement auprès de son fournisseur d’identité. Si vous ne pouvez pas vous y connecter, adressez-vous à l’administrateur.',
    },
    password_sign_in_off: {
      heading: 'Personne ne se connecte ici avec un mot de passe',
      lead: 'Connectez-vous avec {provider}. Si ce n’est pas possible, l’administrateur peut vous donner un lien à usage unique.',
    },
  },
}
