import { NO_ASSOCIATION } from '#contract/public/association.ts'
import { useRouteLoaderData } from 'react-router'
import type { RootData } from '#server/pages/page-services.ts'

/** The root's loader data for every page; settings are empty if the root loader failed. */
export function useFrameContents(): Pick<
  RootData,
  'association' | 'partsOff' | 'siteUrl' | 'recaptchaScriptUrl' | 'recaptchaSiteKey' | 'stripePublishableKey'
> {
  return useRouteLoaderData<RootData>('root') ?? EMPTY
}

const EMPTY = {
  association: NO_ASSOCIATION,
  siteUrl: '',
  recaptchaScriptUrl: '',
  recaptchaSiteKey: '',
  stripePublishableKey: '',
}
