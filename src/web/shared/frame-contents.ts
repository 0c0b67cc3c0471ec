import { useRouteLoaderData } from 'react-router'
import type { FrameContents } from '#server/pages/page-services.ts'

/** What the root loaded for every page; settings are empty where the root itself failed. */
export function useFrameContents(): Pick<
  FrameContents,
  'association' | 'siteUrl' | 'recaptchaScriptUrl' | 'recaptchaSiteKey' | 'stripePublishableKey'
> {
  return useRouteLoaderData<FrameContents>('root') ?? NOTHING
}

const NOTHING = {
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
