import { index, route, type RouteConfig } from '@react-router/dev/routes'

/** The specification's route table (section 2). What the server must know of each page is in `page-facts.ts`. */
export const routes = [
  index('pages/home.tsx'),
  route('about', 'pages/information.tsx', { id: 'about' }),
  route('faqs', 'pages/faqs.tsx'),
  route('executive-committee', 'pages/leaders.tsx', { id: 'executive-committee' }),
  route('board-directors', 'pages/leaders.tsx', { id: 'board-directors' }),
  route('board-trustees', 'pages/leaders.tsx', { id: 'board-trustees' }),
  route('committees', 'pages/committees.tsx'),
  route('past-presidents', 'pages/past-presidents.tsx'),
  route('scholarships-awards', 'pages/information.tsx', { id: 'scholarships-awards' }),
  route('become-a-member', 'pages/become-a-member.tsx'),
  route('email-verification', 'pages/email-verification.tsx'),
  route('stripe/success', 'pages/stripe-success.tsx'),
  route('stripe/cancel', 'pages/stripe-cancel.tsx'),
  route('auth/login', 'pages/login.tsx'),
  route('auth/account', 'pages/account.tsx'),
  route('reset-password', 'pages/reset-password.tsx'),
  route('privacy-policy', 'pages/words.tsx', { id: 'privacy-policy' }),
  route('terms-conditions', 'pages/words.tsx', { id: 'terms-conditions' }),
  route('*', 'pages/not-found.tsx'),
] satisfies RouteConfig
