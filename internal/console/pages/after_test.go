package pages

// AfterTests ends the browser that the tests have shared.
var AfterTests = func() {}
