/** Types and badge styles of A §9. */
export const notificationTypes = [
  'subscription_renewal',
  'usage_milestone',
  'system_alert',
  'performance_report',
] as const;
export type NotificationType = (typeof notificationTypes)[number];

/** Days before a renewal on which a reminder may be sent, and the default (B §3, §9). */
export const reminderDays = [7, 3, 1] as const;
