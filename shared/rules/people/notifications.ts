export const notificationTypes = [
  'subscription_renewal',
  'usage_milestone',
  'system_alert',
  'performance_report',
] as const;
export type NotificationType = (typeof notificationTypes)[number];
