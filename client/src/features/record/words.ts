/** `12 min` */
export const lengthText = (seconds: number) => (seconds < 60 ? 'Under 1 min' : `${Math.round(seconds / 60)} min`);

export const personName = ({ firstName, lastName }: { firstName: string; lastName: string }) =>
  `${firstName} ${lastName}`.trim() || 'Former adviser';
