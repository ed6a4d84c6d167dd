/** Words of this screen. */
export const onboardingStrings = { title: 'Onboarding' };
