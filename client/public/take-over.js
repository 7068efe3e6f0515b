// A page that the server rendered gets its script after its first paint: until then a slow line carries what is seen.
(function () {
  var parts = document.getElementById('take-over');
  requestAnimationFrame(function () {
    setTimeout(function () {
      document.head.append(parts.content.cloneNode(true));
    });
  });
})();
