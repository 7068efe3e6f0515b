import http from 'node:http';
import net from 'node:net';

/** Does anything accept connections on this local port? */
export const portIsTaken = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });

/** Is it another start of this product that listens there? */
export const isAdviserly = (port: number) =>
  new Promise<boolean>((resolve) => {
    const request = http.get({ port, host: '127.0.0.1', path: '/healthz', timeout: 1000 }, (answer) => {
      answer.resume();
      resolve(answer.headers['x-adviserly'] !== undefined);
    });
    request.once('timeout', () => request.destroy());
    request.once('error', () => resolve(false));
  });
