/** Every type of notice, and whether a reader's reminder settings may turn it off. */
export const canBeTurnedOff = {
  subscription_renewal: true,
  usage_milestone: true,
  system_alert: false,
  performance_report: true,
} as const;
export type NotificationType = keyof typeof canBeTurnedOff;
export const notificationTypes = Object.keys(canBeTurnedOff) as [NotificationType, ...NotificationType[]];
