import { createPrivateKey } from 'node:crypto';

const key =
  'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg/ffQjKDb5OPUIx7qIZFYtHXnDsaVUh+kBcF6iwfpfmWhRANCAAR/nSaDnSEswydzVvcboOGdSbfVMQIN+qoDG9L310HYpAXdXiHrmJPm/PuVL2DUapGvxjjfflTPS53r1oreBzcU';
const cert = `-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIUQzskZNL/NMYR9OmwpzKVB1Fw/0wwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMjE1NTUxMloYDzIxMjYxMDI5
MTU1NTEyWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAR/nSaDnSEswydzVvcboOGdSbfVMQIN+qoDG9L310HYpAXdXiHrmJPm
/PuVL2DUapGvxjjfflTPS53r1oreBzcUo28wbTAdBgNVHQ4EFgQUQFSkJ3J4HGg6
RHYzROwKlG3MDwswHwYDVR0jBBgwFoAUQFSkJ3J4HGg6RHYzROwKlG3MDwswDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSAAwRQIhALWtBCBET0OqXVe18skPgLDjvwG+A9LpvLD9T0O0/T57AiAv
0w2s+VCaRd0jeh9AApb+aq/Acf9j7sSt6QrsEEONcQ==
-----END CERTIFICATE-----
`;

/** A self-signed certificate for a server on this machine: worth nothing anywhere. */
export const certificate = {
  cert,
  key: createPrivateKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'pkcs8' })
    .export({ format: 'pem', type: 'pkcs8' })
    .toString(),
};
