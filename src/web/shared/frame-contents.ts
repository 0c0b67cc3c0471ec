import { useRouteLoaderData } from 'react-router'
import type { RootData } from '#server/pages/page-services.ts'

/** The root's loader data for every page; settings are empty if the root loader failed. */
export function useFrameContents(): Pick<
  RootData,
  'association' | 'siteUrl' | 'recaptchaScriptUrl' | 'recaptchaSiteKey' | 'stripePublishableKey'
> {
  return useRouteLoaderData<RootData>('root') ?? EMPTY
}

const EMPTY = {
  association: {
    name: '',
    shortName: '',
    foundedYear: 0,
    email: '',
    address: { street: '', suite: '', city: '', region: '', postalCode: '' },
    mapLink: '',
    socialLinks: [],
  },
  siteUrl: '',
  recaptchaScriptUrl: '',
  recaptchaSiteKey: '',
  stripePublishableKey: '',
}
