/** Every address of the site, typed once. */
export const paths = {
  home: () => '/',
  becomeAMember: () => '/become-a-member',
  login: () => '/auth/login',
  account: () => '/auth/account',
  resetPassword: () => '/reset-password',
  emailVerification: () => '/email-verification',
  stripeSuccess: () => '/stripe/success',
  stripeCancel: () => '/stripe/cancel',
  privacyPolicy: () => '/privacy-policy',
  termsConditions: () => '/terms-conditions',
}
